import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import type { Command, MachineRow } from '../../../db/schema/machine.ts'

/** A machine's row before and after something was learnt of it, and when that came about. */
export interface Learnt {
  readonly before: MachineRow
  readonly after: MachineRow
  /** The provider's instant of it: when its last operation ended, where it says so, else when it was asked. */
  readonly at: Date
}

/** Facts learnt of the operation that is under way. */
export interface Step {
  readonly accepted: Command | null
  readonly sentAt: Date | null
  readonly acceptedAt: Date | null
  /** It came to rest like this: operations that were to lead there are done. */
  readonly came: 'running' | 'stopped' | 'gone' | null
  readonly at: Date
  /** It is wanted otherwise now, by nobody here: it was moved behind our back, or vanished. */
  readonly dropped: boolean
}

/** Returns the step that a change of the row means; null: none. */
export function stepIn({ before, after, at }: Learnt): Step | null {
  const accepted =
    after.command_accepted && !(before.command_accepted && before.command === after.command) ? after.command : null
  const came =
    after.terminated_at !== null
      ? 'gone'
      : after.command === null && isSettled(after) && isRest(after.observed)
        ? after.observed
        : null
  const dropped = after.desired !== before.desired
  if (accepted === null && came === null && !dropped) return null
  const sentAt = accepted !== null && before.command === accepted ? before.command_at : null
  return { accepted, sentAt, acceptedAt: accepted === null ? null : after.command_at, came, at, dropped }
}

const isSettled = ({ restart_asked_at, reset_asked_at }: MachineRow) =>
  restart_asked_at === null && reset_asked_at === null
const isRest = (observed: MachineRow['observed']) => observed === 'running' || observed === 'stopped'

/** Writes down the steps of operations that are under way, in the transaction that wrote the rows of their machines. */
export async function noteSteps(tx: Tx, learnt: readonly Learnt[]): Promise<void> {
  const steps = learnt.flatMap((one) => {
    const step = stepIn(one)
    return step === null ? [] : [{ machine: one.after.id, reason: one.after.ended, ...step }]
  })
  if (steps.length === 0) return
  await sql`
    with learnt as (
      select o.id, s.*,
        -- A reset is a deletion and a creation.
        s.accepted = o.kind or (o.kind = 'reset' and s.accepted = 'create') as taken,
        case when s.came = 'running' then o.kind in ('create', 'start', 'restart', 'reset')
          when s.came = 'stopped' then o.kind = 'stop' when s.came = 'gone' then o.kind = 'delete' else false end as done
      from operation o join jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as s (machine uuid, reason text,
        accepted text, "sentAt" timestamptz, "acceptedAt" timestamptz, came text, at timestamptz, dropped boolean)
        on o.machine_id = s.machine
      where o.closed_at is null and o.kind <> 'capture')
    update operation o set
      sent_at = case when l.taken then coalesce(l."sentAt", o.sent_at, l."acceptedAt") else o.sent_at end,
      accepted_at = case when l.taken then l."acceptedAt" else o.accepted_at end,
      ended_at = case when l.done and not l.dropped then coalesce(o.ended_at, greatest(l.at, o.asked_at))
        else o.ended_at end,
      closed_at = case when l.dropped or l.came = 'gone' or (l.done and o.kind = 'stop')
        or (o.ended_at is not null and l.came is distinct from 'running') then portal_now() end,
      reason = case when l.dropped or (l.came = 'gone' and not l.done) then l.reason end
    from learnt l where o.id = l.id and (l.taken or l.done or l.dropped or l.came = 'gone' or o.ended_at is not null)`.execute(
    tx,
  )
}
