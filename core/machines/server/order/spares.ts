import { sql } from 'kysely'
import type {
  MachineId,
  OrderId,
  OrganisationId,
  TemplateId,
  TrainingId,
} from '@trainyard/platform/contract/words/ids.ts'
import { hook } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { TemplateRow } from '@trainyard/templates/tables.gen.ts'
import { lockPrices } from '@trainyard/usage/server/prices.ts'
import { secondsUsed } from '@trainyard/usage/server/used.ts'
import { READY_MACHINE } from '../../contract/machine-words.ts'
import { setDesiredMachines } from '../desired-state.ts'
import { publishMachines } from '../publish.ts'
import { updateQuotaEnds } from '../queries.ts'
import { lockMachines } from '../record.ts'
import { addMachines } from './add-machines.ts'
import { preflight } from './preflight.ts'

interface SparesWanted {
  readonly training: TrainingId
  readonly template: TemplateId
  readonly guacamole: boolean
  readonly count: number
}

/** Takes spares for an order, which are locked and belong to it from then on: at most `count`. At most one module answers. */
export const readyMachines = hook<SparesWanted, readonly MachineId[], Tx>(
  'machines.readyMachines',
  [],
  (first, second) => [...first, ...second],
)

interface AddedMachine {
  readonly organisation: OrganisationId
  readonly training: { readonly id: TrainingId; readonly name: string }
  readonly template: TemplateRow
  readonly guacamole: boolean
  readonly desired: 'running' | 'stopped'
  readonly orderedBy: string
}

/**
 * Adds a machine that no learner has yet. Name, user, password, ports and tags are final, and no user sees the password
 * before an order takes the machine. Its order is ready from the start, so that no user gets a notice.
 * @throws Problem conflict, before any change, if the provider has no room
 */
export const addSpare = (tx: Tx, seal: Seal, spare: AddedMachine): Promise<MachineId> =>
  addMachine(tx, seal, spare, { name: READY_MACHINE, spare: true })

/**
 * Adds a machine for the portal's own use. Bills show `name` as its learner. No user gets a notice that it is ready.
 * @throws Problem conflict, before any change, if the provider has no room
 */
export const addPortalMachine = (tx: Tx, seal: Seal, machine: AddedMachine, name: string): Promise<MachineId> =>
  addMachine(tx, seal, machine, { name, spare: false })

async function addMachine(
  tx: Tx,
  seal: Seal,
  added: AddedMachine,
  { name, spare }: { readonly name: string; readonly spare: boolean },
): Promise<MachineId> {
  const { organisation, training, template, orderedBy } = added
  await lockPrices(tx, organisation, 'use')
  await preflight(tx, template, 1)
  const order = await tx
    .insertInto('machine_order')
    .values({
      organisation_id: organisation,
      training_id: training.id,
      template_name: template.name,
      ordered_by: orderedBy,
      machine_count: 1,
      ready_at: sql<Date>`portal_now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [id] = await addMachines(tx, seal, {
    ...added,
    order: order.id,
    allottedMinutes: null,
    plannedFor: null,
    spare,
    emails: [name],
  })
  return id!
}

interface AssignedSpares {
  readonly order: OrderId
  readonly machines: readonly MachineId[]
  /** A learner for each machine. */
  readonly emails: readonly string[]
  readonly allottedMinutes: number | null
  /** Default: running. */
  readonly desired?: 'running' | 'stopped'
  /** The learner for whom the seat was ordered. Default: the learner of the machine. */
  readonly orderedFor?: string
}

/** Gives spares to learners. The time that a spare has run is billed, but does not count against the learner's hours. */
export async function assignSpares(
  tx: Tx,
  { order, machines, emails, allottedMinutes, desired = 'running', orderedFor }: AssignedSpares,
): Promise<void> {
  if (machines.length === 0) return
  const before = await lockMachines(tx, machines)
  const used = await secondsUsed(tx, machines)
  const allotted = machines.map((id) =>
    allottedMinutes === null ? null : allottedMinutes + Math.ceil((used.get(id) ?? 0) / 60),
  )
  await setDesiredMachines(tx, {
    rows: sql`
      select id, last_error, given.email, given.allotted from machine
      join unnest(${machines}::uuid[], ${emails}::text[], ${allotted}::integer[]) as given (id, email, allotted) using (id)
      order by id for update of machine`,
    desired,
    set: sql`email = changed.email, ordered_for = coalesce(${orderedFor ?? null}, changed.email), order_id = ${order},
      allotted_minutes = changed.allotted, spare = false, withheld_at = null, handed_over_at = portal_now()`,
  })
  await updateQuotaEnds(tx, machines)
  await tx
    .deleteFrom('machine_order')
    .where(
      'id',
      'in',
      before.map(({ order_id }) => order_id),
    )
    .execute()
  const after = await lockMachines(tx, machines)
  // To subscribers the machine is created now, because events leave out spares.
  await publishMachines(
    tx,
    after.map((machine) => ({
      before: { ...machine, first_seen_at: null, observed: 'absent' as const },
      after: machine,
    })),
  )
}
