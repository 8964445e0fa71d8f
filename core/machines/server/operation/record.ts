import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '../../tables.gen.ts'
import { updateOperations } from './queries.ts'

export interface RowChange {
  readonly before: MachineRow
  readonly after: MachineRow
  /** Time that the provider reported; without one, the time of the observation. */
  readonly at: Date
}

interface OperationStep {
  readonly accepted: MachineRow['command']
  readonly sentAt: Date | null
  readonly acceptedAt: Date | null
  readonly settled: 'running' | 'stopped' | 'gone' | null
  readonly at: Date
  readonly dropped: boolean
}

function stepIn({ before, after, at }: RowChange): OperationStep | null {
  const accepted =
    after.command_accepted && !(before.command_accepted && before.command === after.command) ? after.command : null
  const settled =
    after.terminated_at !== null
      ? 'gone'
      : after.command === null && isSettled(after) && isRest(after.observed)
        ? after.observed
        : null
  const dropped = after.desired !== before.desired
  if (accepted === null && settled === null && !dropped) return null
  const sentAt = accepted !== null && before.command === accepted ? before.command_at : null
  return { accepted, sentAt, acceptedAt: accepted === null ? null : after.command_at, settled, at, dropped }
}

const isSettled = ({ restart_asked_at, reset_asked_at }: MachineRow) =>
  restart_asked_at === null && reset_asked_at === null
const isRest = (observed: MachineRow['observed']) => observed === 'running' || observed === 'stopped'

export async function recordSteps(tx: Tx, changes: readonly RowChange[]): Promise<void> {
  const steps = changes.flatMap((each) => {
    const step = stepIn(each)
    return step === null ? [] : [{ machine: each.after.id, reason: each.after.ended, ...step }]
  })
  if (steps.length === 0) return
  await updateOperations(tx, JSON.stringify(steps))
}
