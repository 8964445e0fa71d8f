import type { machineEvents } from '../contract/machine-event.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '../tables.gen.ts'
import { noticed, type PublicationOf, publish } from '@trainyard/users/server/notices.ts'

type PublishedRow = Pick<
  MachineRow,
  | 'id'
  | 'name'
  | 'organisation_id'
  | 'training_id'
  | 'email'
  | 'observed'
  | 'first_seen_at'
  | 'last_error'
  | 'terminated_at'
  | 'spare'
>

interface Change {
  readonly before: PublishedRow
  readonly after: PublishedRow
}

const hasFailed = ({ before, after }: Change): boolean =>
  before.last_error === null && after.last_error !== null && after.terminated_at === null

/** Publishes what happened to machines of learners, and tells their class of failures. */
export async function publishMachines(tx: Tx, all: readonly Change[]): Promise<void> {
  const changes = all.filter(({ after }) => !after.spare)
  await publish<typeof machineEvents>(tx, changes.flatMap(eventsOf))
  await emit(
    tx,
    noticed,
    changes.filter(hasFailed).map(({ after }) => ({
      audience: 'class' as const,
      organisation: after.organisation_id,
      training: after.training_id,
      about: null,
      kind: 'machine.failed' as const,
      text: `${after.name} is failing: ${after.last_error!.slice(0, 500)}`,
      link: '/vm/vmdetails' as const,
      // If the provider has no capacity, all machines of a class fail for the same reason.
      quietMinutes: 60,
    })),
  )
}

function eventsOf(change: Change): PublicationOf<typeof machineEvents>[] {
  const { before, after } = change
  const event = {
    organisation: after.organisation_id,
    resource: `machine:${after.id}`,
    training: after.training_id,
    data: { machine: { id: after.id, name: after.name }, learner: after.email },
  }
  const { data } = event
  return [
    ...(before.email === after.email
      ? []
      : [{ ...event, type: 'machine.assigned' as const, data: { ...data, formerLearner: before.email } }]),
    ...(before.first_seen_at === null && after.first_seen_at !== null
      ? [{ ...event, type: 'machine.created' as const }]
      : []),
    ...(before.observed !== 'running' && after.observed === 'running'
      ? [{ ...event, type: 'machine.started' as const }]
      : []),
    ...(before.observed !== 'stopped' && after.observed === 'stopped'
      ? [{ ...event, type: 'machine.stopped' as const }]
      : []),
    ...(hasFailed(change)
      ? [{ ...event, type: 'machine.failed' as const, data: { ...data, reason: after.last_error! } }]
      : []),
    ...(before.terminated_at === null && after.terminated_at !== null
      ? [{ ...event, type: 'machine.deleted' as const }]
      : []),
  ]
}

/** Publishes that machines now belong to other learners. @param former address of the learner before */
export async function publishAssigned(tx: Tx, former: ReadonlyMap<MachineId, string>): Promise<void> {
  const machines = await tx
    .selectFrom('machine')
    .selectAll()
    .where('id', 'in', [...former.keys()])
    .orderBy('id')
    .execute()
  await publishMachines(
    tx,
    machines.map((after) => ({ before: { ...after, email: former.get(after.id)! }, after })),
  )
}
