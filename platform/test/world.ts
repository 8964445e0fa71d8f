import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganisationId } from '../contract/words/ids.ts'
import { paise } from '../contract/words/money.ts'
import { type Role, ROLES } from '../contract/words/role.ts'
import { hashToken } from '../server/core/tokens.ts'
import type { Tx } from '../server/db/schema.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'
import { addInvitation } from '@trainyard/users/server/invite-users.ts'
import { invitationToken } from '@trainyard/users/server/invitation-link.ts'
import { orderMachines } from '@trainyard/machines/server/order/order.ts'
import { updateQuotaEnds } from '@trainyard/machines/server/queries.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startPortalOn, type TestPortal } from './portal.ts'
import { type AwsLabSubject, type LabSubject, makeAwsLab, makeLab } from './labs.ts'

/**
 * Text that every text of the foreign organisation contains. No response to a user of another organisation may contain
 * it.
 */
export const MARKER = 'zqmark'

/**
 * Values to which a call of the core can refer: values of the caller, values of another organisation, or values that do
 * not exist.
 */
export interface Subject extends LabSubject, AwsLabSubject {
  readonly organization: string
  readonly trainingName: string
  readonly template: string
  readonly machine: { readonly name: string; readonly resourceGroup: string }
  readonly email: string
  readonly schedule: string
  readonly newEmail: string
  readonly token: string
  readonly invited: string
  /** An instructor of the training. */
  readonly instructor: string
  readonly password: string
  /** ID of a session for each role: of the user with this role, of another user, or of no user. */
  readonly sessions: Readonly<Record<Role, string>>
  /** A paid order, with the payment and the provider's signature of both. */
  readonly paid: { readonly order_id: string; readonly payment_id: string; readonly signature: string }
}

/** The caller's subject, one of another organisation, and a non-existent one. */
export interface Subjects<S = Subject> {
  readonly own: S
  readonly foreign: S
  readonly absent: S
}

export const PEOPLE: Readonly<Record<Role, string>> = {
  user: 'learner@own.test',
  admin: 'admin@own.test',
  superadmin: 'superadmin@portal.test',
  sandboxuser: 'sandbox@portal.test',
  awssandboxuser: 'aws@portal.test',
}

/** Inserts an online payment that is already credited, so that verifying it again does not call the provider. */
async function addPaid(
  tx: Tx,
  portal: TestPortal,
  organisation: OrganisationId,
  label: string,
): Promise<Subject['paid']> {
  const [order_id, payment_id] = [`order_${label}`, `pay_${label}`]
  await sql`insert into payment (organisation_id, amount_paise, order_id, asked_by, paid_at, credited)
    values (${organisation}, 100, ${order_id}, ${`admin@${label}.test`}, portal_now(), ${[payment_id]})`.execute(tx)
  const entry = {
    organisation,
    reference: payment_id,
    particular: `${label} payment`,
    amount: paise(100),
    by: label,
  } as const
  await addEntry(tx, { ...entry, kind: 'payment', date: '2026-01-31', source: 'provider' })
  await addEntry(tx, {
    ...entry,
    kind: 'tds',
    reference: `TDS of ${payment_id}`,
    deductedFrom: payment_id,
    tds: { section: '194J', year: '25-26', quarter: 4 },
    amount: paise(20),
    date: '2026-01-31',
    source: 'manual',
  })
  // Payment and TDS settle the invoice, so that the organisation owes nothing and can be deleted.
  const invoice = { ...entry, amount: paise(120), reference: label }
  await addEntry(tx, { ...invoice, kind: 'invoice', date: '2026-01-01', source: 'manual' })
  const secret = portal.app.secrets.razorpayKeySecret
  return {
    order_id,
    payment_id,
    signature: createHmac('sha256', secret).update(`${order_id}|${payment_id}`).digest('hex'),
  }
}

const PASSWORD = 'the password of everybody'
/** Another superadmin, who confirms resets, and who remains if the first one is deleted. */
export const SECOND_SUPERADMIN = 'second@portal.test'

export const ABSENT_ID = '00000000-0000-4000-8000-000000000000'

export const forEachRole = (of: (role: Role) => string): Record<Role, string> =>
  Object.fromEntries(ROLES.map((role) => [role, of(role)])) as Record<Role, string>

async function sessionsFor(portal: TestPortal, emailOf: (role: Role) => string): Promise<Record<Role, string>> {
  const ids = new Map<Role, string>()
  for (const role of ROLES) {
    const token_hash = hashToken(await portal.sessionOf(emailOf(role)))
    const { id } = await portal.app.db
      .selectFrom('session')
      .select('id')
      .where('token_hash', '=', token_hash)
      .executeTakeFirstOrThrow()
    ids.set(role, id)
  }
  return forEachRole((role) => ids.get(role)!)
}

/** Database with the rows of subjects, without connections. */
export interface SubjectsTemplate<S = Subject> extends Subjects<S> {
  readonly database: TestDatabase
}

/**
 * Creates subjects in a database that each portal of a file copies, because creating the rows takes longer.
 * @param settings of the portal that creates the rows
 * @param create creates the rows before the connections close
 */
export function createSubjectsTemplate(cluster: string, settings?: TestPortal['settings']): Promise<SubjectsTemplate>
export function createSubjectsTemplate<S>(
  cluster: string,
  settings: TestPortal['settings'],
  create: (portal: TestPortal) => Promise<Subjects<S>>,
): Promise<SubjectsTemplate<S>>
export async function createSubjectsTemplate(
  cluster: string,
  settings: TestPortal['settings'] = {},
  create: (portal: TestPortal) => Promise<Subjects<unknown>> = createSubjects,
): Promise<SubjectsTemplate<unknown>> {
  const database = await createTestDatabase(cluster)
  const portal = await startPortalOn(database.url, settings)
  const subjects = await create(portal)
  await portal.close()
  return { database, ...subjects }
}

/** Creates two organisations with the same kinds of rows, and returns their subjects and a non-existent one. */
export async function createSubjects(portal: TestPortal): Promise<Subjects> {
  const { db } = portal.app
  const password_hash = await hashPassword(PASSWORD)
  await db
    .insertInto('portal_user')
    .values([
      { email: PEOPLE.superadmin, role: 'superadmin', organisation_id: null, password_hash },
      { email: SECOND_SUPERADMIN, role: 'superadmin', organisation_id: null, password_hash },
      { email: PEOPLE.sandboxuser, role: 'sandboxuser', organisation_id: null, password_hash },
      { email: PEOPLE.awssandboxuser, role: 'awssandboxuser', organisation_id: null, password_hash },
    ])
    .execute()
  const own = {
    ...(await makeOrganisation(portal, 'own', PEOPLE.admin, PEOPLE.user)),
    ...(await makeLab(portal, PEOPLE.sandboxuser, 'own')),
    ...(await makeAwsLab(portal, PEOPLE.awssandboxuser, 'own')),
    sessions: await sessionsFor(portal, (role) => PEOPLE[role]),
  }
  const foreign = {
    ...(await makeOrganisation(portal, MARKER, `admin@${MARKER}.test`, `learner@${MARKER}.test`)),
    ...(await makeLab(portal, `lab@${MARKER}.test`, MARKER)),
    ...(await makeAwsLab(portal, `aws@${MARKER}.test`, MARKER)),
    sessions: await sessionsFor(portal, () => `admin@${MARKER}.test`),
  }
  const absent: Subject = {
    paid: { ...own.paid, order_id: 'order_nobody' },
    organization: 'nobody school',
    trainingName: 'nobody training',
    template: 'nobody template',
    machine: { name: 'nobody-1', resourceGroup: own.machine.resourceGroup },
    email: 'nobody@nobody.test',
    invited: 'nobody@nobody.test',
    instructor: 'nobody@nobody.test',
    password: PASSWORD,
    schedule: ABSENT_ID,
    sessions: forEachRole(() => ABSENT_ID),
    newEmail: 'new@nobody.test',
    token: own.token.replace(/^.{8}/, '00000000'),
    labUser: 'nobody@labs.test',
    awsLabUser: 'nobody@aws.labs.test',
    sandbox: own.sandbox.replace('own', 'none'),
    newSandbox: own.newSandbox,
  }
  return { own, foreign, absent }
}

async function makeOrganisation(
  portal: TestPortal,
  label: string,
  admin: string,
  learner: string,
): Promise<Omit<Subject, 'sessions' | keyof (LabSubject & AwsLabSubject)>> {
  const { db, seal } = portal.app
  const password_hash = await hashPassword(PASSWORD)
  return db.transaction().execute(async (tx) => {
    const organization = `${label} school`
    const trainingName = `${label} training`
    const template = `${label} template`
    const { id: organisation_id } = await tx
      .insertInto('organisation')
      .values({
        name: organization,
        logo: `https://${label}.test/logo.png`,
        gst: label === 'own' ? '29AAAOW1111A1ZD' : '33ZQMAR1111K1Z3',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const users = await tx
      .insertInto('portal_user')
      .values([
        { email: admin, role: 'admin', organisation_id, password_hash },
        { email: learner, role: 'user', organisation_id, password_hash },
        { email: `spare@${label}.test`, role: 'user', organisation_id, password_hash: null },
      ])
      .returning(['id', 'email'])
      .execute()
    const { id: template_id } = await tx
      .insertInto('template')
      .values({
        name: template,
        rate_paise: 1000 as never,
        provider: 'azure',
        place: { group: `${label}-group`, location: 'southindia', network: `${label}-net` },
        size: { name: 'Standard_D2s_v3' },
        image: { id: `${label}:${label}:${label}:latest` },
        os: 'Linux',
        licence: 'none',
        cpu: `${label} cpu`,
        memory: `${label} memory`,
        storage: `${label} storage`,
        disk: `${label} disk`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.insertInto('template_assignment').values({ organisation_id, template_id }).execute()
    const found = await findSignInUser(tx, { email: admin })
    const order = { templateName: template, email: [learner], allocatedHours: 60, createVmCount: 1, guacamole: true }
    await orderMachines(tx, found!.actor, { ...order, trainingName }, { seal, jobs: { enqueue: async () => {} } })
    // The machine runs, with a run and an error, so that every field has a value.
    await sql`update machine set observed = 'running', first_seen_at = portal_now(), observed_at = portal_now(),
      public_ip = ${label}, last_error = ${`${label} error`}, admin_username = ${label} where organisation_id = ${organisation_id}`.execute(
      tx,
    )
    await sql`insert into run (machine_id, organisation_id, started_at, paise_per_hour)
      select id, organisation_id, date_trunc('second', portal_now()), paise_per_hour from machine
      where organisation_id = ${organisation_id}`.execute(tx)
    const { id, ...machine } = await tx
      .selectFrom('machine')
      .select(['id', 'name', 'place_group as resourceGroup'])
      .where('organisation_id', '=', organisation_id)
      .executeTakeFirstOrThrow()
    await updateQuotaEnds(tx, [id])
    const { rows } = await sql<{ id: string }>`
      with open as (
        insert into port (training_id, organisation_id, port, priority)
        select id, organisation_id, 8080, 1001 from training where organisation_id = ${organisation_id})
      insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by)
      select id, organisation_id, 'Start', '2099-12-31', '09:30', 'Asia/Kolkata', '2099-12-31T04:00Z', ${admin}
      from training where organisation_id = ${organisation_id} returning id`.execute(tx)
    const instructor = `instructor@${label}.test`
    await addInstructorTo(tx, { organisation_id, email: instructor, trainingName })
    const spare = users.find(({ email }) => email.startsWith('spare'))!
    const token = invitationToken(seal, await addInvitation(tx, spare.id))
    return {
      organization,
      trainingName,
      template,
      machine,
      email: learner,
      schedule: rows[0]!.id,
      paid: await addPaid(tx, portal, organisation_id, label),
      newEmail: `new@${label}.test`,
      token,
      invited: spare.email,
      instructor,
      password: PASSWORD,
    }
  })
}

export async function addInstructorTo(
  tx: Tx,
  of: { readonly organisation_id: OrganisationId; readonly email: string; readonly trainingName: string },
): Promise<void> {
  const { organisation_id, email, trainingName } = of
  const user = await tx
    .insertInto('portal_user')
    .values({ email, role: 'user', organisation_id, password_hash: 'none' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into training_instructor (training_id, organisation_id, user_id, added_by)
    select id, organisation_id, ${user.id}, 'admin' from training
    where organisation_id = ${organisation_id} and name = ${trainingName}`.execute(tx)
}
