import type { SandboxRow } from '../../../db/schema/azure-lab.ts'
import type { SandboxGroups } from '../../../providers/sandbox-groups.ts'
import type { LockedRow, Outcome, Step } from '../../../reconcile/outcome.ts'
import type { Tx } from '../../../db/schema.ts'
import { removedAt, secondsUntil } from './gone.ts'
import { charge } from './meter.ts'

/** While something is at work at the provider it is looked at this often. */
export const WAIT_SECONDS = 10
/** A deletion that takes longer than this shows so. */
const SLOW_DELETION_MS = 600_000

export const placeOf = ({ id, group_name }: SandboxRow) => ({ id, group: group_name })

/** Access goes first; then what stood is charged a last time, the group deleted, and looked for until it is gone. */
export const endSandbox =
  (groups: SandboxGroups): Step<SandboxRow> =>
  async (row, signal) => {
    const place = placeOf(row)
    const seen = await groups.lookAtGroup(place, signal)
    const ours = seen.state !== 'absent' && (seen.ours || row.ours)
    if (!ours) return conclude
    if (seen.state === 'deleting') return waitForDeletion
    await groups.setAccess(place, { level: 'none' }, signal)
    return (_tx, { now, blocked_at }) => ({
      set: { access: 'none', blocked_at: blocked_at ?? now, ours: true, absent_at: null, seen_at: now },
      next: chargeLast(groups),
    })
  }

/** Charges the resources up to now before they go; a look that fails twice holds the deletion up no longer. */
const chargeLast =
  (groups: SandboxGroups): Step<SandboxRow> =>
  async (row, signal) => {
    const remove: Step<SandboxRow> = async (_row, stillSignal) => {
      await groups.deleteGroup(placeOf(row), stillSignal)
      return waitForDeletion
    }
    if (row.metered_at === null || row.attempts > 1) return remove(row, signal)
    const resources = await groups.lookInside(placeOf(row), signal)
    if (resources === null) return remove(row, signal)
    return async (tx, locked) => {
      await charge(tx, locked, resources)
      return { next: remove }
    }
  }

function waitForDeletion(_tx: Tx, { now, blocked_at }: LockedRow<SandboxRow>): Outcome<SandboxRow> {
  const slow = blocked_at !== null && now.getTime() - blocked_at.getTime() > SLOW_DELETION_MS
  const last_error = slow ? 'Access is blocked; the cloud is still deleting what stood in it.' : null
  return { set: { last_error, absent_at: null, seen_at: now }, next: WAIT_SECONDS }
}

/** Nothing of ours was seen: for good, once nothing has come for a while. */
function conclude(_tx: Tx, row: LockedRow<SandboxRow>): Outcome<SandboxRow> {
  const { now } = row
  const absent_at = row.absent_at ?? now
  const pause = secondsUntil(removedAt({ ...row, absent_at }), now)
  if (pause === 0) return { set: { ended_at: now, access: 'none' }, next: 'over' }
  return { set: { ours: false, access: 'none', absent_at, blocked_at: row.blocked_at ?? now }, next: pause }
}
