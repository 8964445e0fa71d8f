import type { SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import type { SandboxGroups } from '../sandbox-groups.ts'
import type { LockedRow, Outcome, Step } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { removedAt, secondsUntil } from './absence.ts'
import { charge } from './meter.ts'

export const WAIT_SECONDS = 10
const SLOW_DELETION_MS = 600_000

export const placeOf = ({ id, group_name }: SandboxRow) => ({ id, group: group_name })

/** Removes access, charges the resources a last time, deletes the group, and polls until it is absent. */
export const endSandbox =
  (groups: SandboxGroups): Step<SandboxRow> =>
  async (row, signal) => {
    const ref = placeOf(row)
    const current = await groups.getGroup(ref, signal)
    const isOwnGroup = current.state !== 'absent' && (current.ours || row.ours)
    if (!isOwnGroup) return endIfAbsent
    if (current.state === 'deleting') return waitForDeletion
    await groups.setAccess(ref, { level: 'none' }, signal)
    return (_tx, { now, blocked_at }) => ({
      set: { access: 'none', blocked_at: blocked_at ?? now, ours: true, absent_at: null, seen_at: now },
      next: chargeBeforeDeletion(groups),
    })
  }

/** If the read fails twice, the deletion continues without the charge. */
const chargeBeforeDeletion =
  (groups: SandboxGroups): Step<SandboxRow> =>
  async (row, signal) => {
    const remove: Step<SandboxRow> = async (_row, nextSignal) => {
      await groups.deleteGroup(placeOf(row), nextSignal)
      return waitForDeletion
    }
    if (row.metered_at === null || row.attempts > 1) return remove(row, signal)
    const resources = await groups.listResources(placeOf(row), signal)
    if (resources === null) return remove(row, signal)
    return async (tx, locked) => {
      await charge(tx, locked, resources)
      return { next: remove }
    }
  }

function waitForDeletion(_tx: Tx, { now, blocked_at }: LockedRow<SandboxRow>): Outcome<SandboxRow> {
  const isSlow = blocked_at !== null && now.getTime() - blocked_at.getTime() > SLOW_DELETION_MS
  const last_error = isSlow ? 'Access is blocked. The cloud is still deleting the resources.' : null
  return { set: { last_error, absent_at: null, seen_at: now }, next: WAIT_SECONDS }
}

/** Ends the sandbox once the group has been absent for long enough. */
function endIfAbsent(_tx: Tx, row: LockedRow<SandboxRow>): Outcome<SandboxRow> {
  const { now } = row
  const absent_at = row.absent_at ?? now
  const pause = secondsUntil(removedAt({ ...row, absent_at }), now)
  if (pause === 0) return { set: { ended_at: now, access: 'none' }, next: 'never' }
  return { set: { ours: false, access: 'none', absent_at, blocked_at: row.blocked_at ?? now }, next: pause }
}
