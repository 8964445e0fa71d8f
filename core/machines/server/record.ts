import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '../tables.gen.ts'
import { changeRuns, type RunChange } from '@trainyard/usage/server/runs.ts'
import { recordSteps } from './operation/record.ts'
import { machinesTerminated } from './events.ts'
import { type ObservedFields, causeOf, type Observation, observe } from './observe.ts'
import { lockRows, updateQuotaEnds, updateRows, type LockedMachine } from './queries.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'
import { publishMachines } from './publish.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'

/** Locks the machines in the order of their IDs, so that two transactions cannot deadlock. */
export async function lockMachines(tx: Tx, ids: readonly MachineId[]): Promise<LockedMachine[]> {
  const { rows } = await lockRows(tx, ids)
  return rows
}

export interface Recording {
  readonly machine: LockedMachine
  readonly observation: Observation
}

/** Stores observations, and opens and closes runs in the same transaction. No other code writes `observed`. */
export async function recordObservations(tx: Tx, recordings: readonly Recording[]): Promise<LockedMachine[]> {
  const results = recordings.map(({ machine, observation }) => ({
    machine,
    cause: causeOf(observation),
    at: endIn(machine, observation),
    ...observe(machine, observation),
  }))
  const now = recordings[0]?.machine.now
  if (now === undefined) return []
  const runChanges = results.flatMap(({ machine, cause, run }): RunChange[] =>
    run === null ? [] : [{ machine, cause, ...run }],
  )
  await changeRuns(tx, runChanges, now)
  const metered = results.filter(({ machine, run }) => run !== null && machine.allotted_minutes !== null)
  if (metered.length > 0)
    await updateQuotaEnds(
      tx,
      metered.map(({ machine }) => machine.id),
    )
  const rows = results.map(({ machine, fields, terminated, at }) => {
    const seenAt = fields.observed === machine.observed ? machine.observed_at : now
    return {
      at,
      before: machine,
      after: { ...machine, ...fields, observed_at: seenAt, ...(terminated ? finalOf(now) : {}) },
    }
  })
  const changed = rows.filter(({ before, after }) => differs(before, after))
  await writeRows(
    tx,
    changed.map(({ after }) => after),
  )
  await recordSteps(tx, changed)
  await publishMachines(tx, changed)
  await machinesChanged(
    tx,
    changed.map(({ after }) => after.id),
  )
  const ended = rows.filter(({ before, after }) => before.terminated_at === null && after.terminated_at !== null)
  await emit(tx, machinesTerminated, [...new Set(ended.map(({ after }) => after.training_id))])
  return rows.map(({ after }) => after)
}

export async function recordObservation(
  tx: Tx,
  machine: LockedMachine,
  observation: Observation,
): Promise<LockedMachine> {
  const [after] = await recordObservations(tx, [{ machine, observation }])
  return after!
}

/**
 * Returns the end of a run. This is the time of the observation if the provider's end is unknown or earlier than the
 * portal's command.
 */
function endIn({ command_at }: MachineRow, observation: Observation): Date {
  if (observation.kind !== 'seen' || !('since' in observation.seen)) return observation.at
  const { since } = observation.seen
  return since === null || (command_at !== null && since < command_at) ? observation.at : since
}

function finalOf(now: Date) {
  return { terminated_at: now, admin_password: null, reconcile_at: null, leased_until: null }
}

const OBSERVED_FIELDS = [
  'desired',
  'observed',
  'first_seen_at',
  'public_ip',
  'restart_asked_at',
  'reset_asked_at',
  'ended',
  'command',
  'command_at',
  'command_accepted',
  'attempts',
  'last_error',
] as const satisfies readonly (keyof ObservedFields)[]

function differs(before: MachineRow, after: MachineRow): boolean {
  return [...OBSERVED_FIELDS, 'terminated_at' as const].some(
    (field) => before[field]?.valueOf() !== after[field]?.valueOf(),
  )
}

async function writeRows(tx: Tx, rows: readonly LockedMachine[]): Promise<void> {
  if (rows.length === 0) return
  await updateRows(tx, JSON.stringify(rows.map(written)))
}

function written({ id, observed_at, terminated_at, ...row }: LockedMachine): Record<string, unknown> {
  const fields = Object.fromEntries(OBSERVED_FIELDS.map((field) => [field, row[field]]))
  return { id, observed_at, terminated_at, ...fields } satisfies Record<string, unknown>
}
