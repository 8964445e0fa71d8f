import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import { connectModules, on } from '@trainyard/platform/server/core/events.ts'
import { type Publication, published } from '@trainyard/users/server/notices.ts'
import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { orderMachines } from '@trainyard/machines/server/order/order.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { template } from '@trainyard/platform/test/orders.ts'
import { addOrganisation } from '@trainyard/platform/test/organisation.ts'
import type { TestEnvironment } from '@trainyard/platform/test/environment.ts'
import type { TestPortal } from '@trainyard/platform/test/portal.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'
import { SUPPLIER } from './tax-documents.ts'

const { firstMonth: _firstMonth, rates: _rates, ...PARTS } = SUPPLIER

export const SETTINGS = { ...PARTS, rates: SUPPLIER.rates, firstMonth: '2026-09' }

export const ADDRESS = { addressLine1: '4 MG Road', city: 'Mysuru', pin: '570001', state: '29' } as const

/** A customer organisation for tests, with machines. */
export interface TestCustomer {
  readonly id: OrganisationId
  readonly name: string
  readonly admin: string
}

const ORDERED = new Date('2026-08-20T06:00:00Z')

/** Creates the superadmin `root@portal.test`. Returns a session token. */
export async function addSuperadmin({ portal, credentials }: TestEnvironment): Promise<string> {
  await portal.owner
    .insertInto('portal_user')
    .values({ email: 'root@portal.test', role: 'superadmin', organisation_id: null, password_hash: 'none' })
    .execute()
  return (await credentials('root@portal.test')).token
}

/** Creates an organisation with an address in Karnataka and with machines of one training, at ₹12.50 per hour each. */
export async function addCustomer(
  portal: TestPortal,
  name: string,
  machines = 2,
  billing: Readonly<Record<string, unknown>> = ADDRESS,
): Promise<TestCustomer> {
  const { owner, app } = portal
  const label = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const admin = `admin@${label}.test`
  const id = await addOrganisation(owner, name)
  await owner
    .insertInto('portal_user')
    .values({ email: admin, role: 'admin', organisation_id: id, password_hash: 'none' })
    .execute()
  if (machines > 0) {
    const email = Array.from({ length: machines }, (_, index) => `learner${index}@${label}.test`)
    const { actor } = (await findSignInUser(owner, { email: admin }))!
    const order = { templateName: template().name, email, allocatedHours: null, createVmCount: machines }
    await app.db
      .transaction()
      .execute((tx) =>
        orderMachines(
          tx,
          actor,
          { ...order, guacamole: false, trainingName: `${name} 101` },
          { seal: app.seal, jobs: { enqueue: async () => {} } },
        ),
      )
    await sql`update machine set created_at = ${ORDERED}, desired = 'stopped', observed = 'stopped', reconcile_at = null
      where organisation_id = ${id}`.execute(owner)
  }
  await owner
    .insertInto('organisation_billing')
    .values({
      organisation_id: id,
      address_line1: billing['addressLine1'] as string,
      city: billing['city'] as string,
      pin: (billing['pin'] as string | undefined) ?? null,
      state: (billing['state'] as string | undefined) ?? null,
      country: (billing['country'] as string | undefined) ?? null,
      place: (billing['place'] as 'india' | undefined) ?? 'india',
      legal_name: null,
    })
    .execute()
  if (billing['gst'] !== undefined) {
    await owner
      .updateTable('organisation')
      .set({ gst: billing['gst'] as string })
      .where('id', '=', id)
      .execute()
  }
  return { id, name, admin }
}

/** Inserts a run between two instants for each machine of a customer. */
export async function addRuns(portal: TestPortal, { id }: TestCustomer, from: string, to: string): Promise<void> {
  await sql`insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour, closed_by)
    select id, organisation_id, ${from}::timestamptz, ${to}::timestamptz, paise_per_hour, 'imported' from machine
    where organisation_id = ${id}`.execute(portal.owner)
  await updateRunSums(portal.owner, sql`organisation_id = ${id}`)
}

export const setClock = (portal: TestPortal, instant: string): Promise<void> =>
  setPortalClock(portal.owner, new Date(instant))

/** Returns the body that records the registration of a document at the e-invoice portal. */
export const registration = (number: string, irn: string, ackDate: string) => ({
  number,
  irn,
  ackNumber: '112010036563310',
  ackDate,
  signedQr: 'a.b.c',
})

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
export type ReplyBody = any

/** Returns a function that sends a call, by default as `user()`, and returns the reply's status and its JSON or bytes. */
export const senderOf =
  (portal: TestPortal, user: () => string) =>
  async (method: string, path: string, body?: unknown, uid = user()): Promise<{ status: number; body: ReplyBody }> => {
    const reply = await portal.request(method, path, { uid, body })
    const isJson = reply.headers.get('content-type')?.includes('json') === true
    return { status: reply.status, body: isJson ? await reply.json() : Buffer.from(await reply.arrayBuffer()) }
  }

/** Returns the list to which everything that modules publish from now on is added. */
export function hearPublications(): readonly Publication[] {
  const heard: Publication[] = []
  connectModules([...SERVER_MODULES, { listens: [on(published, async (_, rows) => void heard.push(...rows))] }])
  return heard
}
