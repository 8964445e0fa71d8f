import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/tables/machines.gen.ts'

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
  await sql`
    with step as (
      select o.id, s.*,
        -- A reset consists of a deletion and a creation.
        s.accepted = o.kind or (o.kind = 'reset' and s.accepted = 'create') as taken,
        case when s.settled = 'running' then o.kind in ('create', 'start', 'restart', 'reset')
          when s.settled = 'stopped' then o.kind = 'stop' when s.settled = 'gone' then o.kind = 'delete' else false end as done
      from operation o join jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as s (machine uuid, reason text,
        accepted text, "sentAt" timestamptz, "acceptedAt" timestamptz, settled text, at timestamptz, dropped boolean)
        on o.machine_id = s.machine
      where o.closed_at is null and o.kind <> 'capture')
    update operation o set
      sent_at = case when l.taken then coalesce(l."sentAt", o.sent_at, l."acceptedAt") else o.sent_at end,
      accepted_at = case when l.taken then l."acceptedAt" else o.accepted_at end,
      ended_at = case when l.done and not l.dropped then coalesce(o.ended_at, greatest(l.at, o.asked_at))
        else o.ended_at end,
      closed_at = case when l.dropped or l.settled = 'gone' or (l.done and o.kind = 'stop')
        or (o.ended_at is not null and l.settled is distinct from 'running') then portal_now() end,
      reason = case when l.dropped or (l.settled = 'gone' and not l.done) then l.reason end
    from step l where o.id = l.id and (l.taken or l.done or l.dropped or l.settled = 'gone' or o.ended_at is not null)`.execute(
    tx,
  )
}
