import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { type SandboxGroups, type SandboxResource, UserNotReplicated } from '../sandbox-groups.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import type { LockedRow, Outcome, Step } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { lockLabUsers } from '@trainyard/lab-users/server/end-lab-users.ts'
import { secondsUntil, vanishedAt } from './absence.ts'
import { charge } from './meter.ts'
import { ALLOWED_SIZES } from './prices.ts'
import { lockSandboxes } from './queries.ts'
import { endSandbox, placeOf, WAIT_SECONDS } from './sandbox-end.ts'
import { endSandboxes } from './wake.ts'

export interface SandboxDependencies {
  readonly db: Db
  readonly groups: SandboxGroups
}

export const sandboxKind = (parts: SandboxDependencies): Kind<SandboxRow> => ({
  table: 'sandbox',
  retainedPause: 'requested',
  lockBefore: lockUserAndSandboxes,
  step: (row, signal) =>
    row.desired === 'gone'
      ? endSandbox(parts.groups)(row, signal)
      : row.ours
        ? setUpGroup(parts)(row, signal)
        : createGroup(parts)(row, signal),
  onError: (_row, error) => (error instanceof UserNotReplicated ? waitForUser : { error }),
})

/**
 * Locks the user first, then all sandboxes by ID, because a charge may wake or freeze the others. This order prevents
 * deadlocks.
 */
async function lockUserAndSandboxes(tx: Tx, { azure_user_id }: SandboxRow): Promise<void> {
  await lockLabUsers(tx, 'azure_user', [azure_user_id])
  await lockSandboxes(tx, azure_user_id)
}

const userOf = (db: Db, { azure_user_id }: SandboxRow) =>
  db.selectFrom('azure_user').select(['object_id', 'email']).where('id', '=', azure_user_id).executeTakeFirstOrThrow()

/** Creates the group. A group of the same name that is not ours is never changed. */
const createGroup =
  (parts: SandboxDependencies): Step<SandboxRow> =>
  async (row, signal) => {
    const { db, groups } = parts
    const ref = placeOf(row)
    const current = await groups.getGroup(ref, signal)
    if (current.state !== 'absent' && !current.ours) {
      throw new CloudError(
        'refused',
        `There is already a group ${row.group_name} at the cloud that does not belong to this portal.`,
      )
    }
    if (current.state === 'deleting') {
      throw new CloudError('conflict', `The group ${row.group_name} is being deleted at the cloud.`, 30)
    }
    const created = { set: { ours: true }, next: setUpGroup(parts) }
    if (current.state !== 'absent') return created
    const { email: user } = await userOf(db, row)
    return (_tx, { now }) => ({
      set: { create_sent_at: now },
      async next(_row, nextSignal) {
        await groups.createGroup({ ...ref, location: row.location, user, endsAt: row.delete_at }, nextSignal)
        return created
      },
    })
  }

/** Sets up the group. An error in one part does not skip the following ones. */
const setUpGroup =
  ({ db, groups }: SandboxDependencies): Step<SandboxRow> =>
  async (row, signal) => {
    const ref = placeOf(row)
    if (row.ready_at === null) await groups.limitSizes(ref, ALLOWED_SIZES, signal)
    const { object_id: objectId } = await userOf(db, row)
    // The creation of the user wakes its sandboxes.
    if (objectId === null) return { next: 60 }
    const resources = await groups.listResources(ref, signal)
    if (resources === null) return handleMissing
    const level = row.desired === 'frozen' ? 'read' : 'full'
    const refused = await runAll([() => groups.setAccess(ref, { level, objectId }, signal)])
    return (_tx, { now, ready_at, metered_at }) => ({
      set: {
        ...(refused.length > 0 ? {} : { access: level, ready_at: ready_at ?? now, metered_at: metered_at ?? now }),
        absent_at: null,
        seen_at: now,
      },
      next: stopAndCharge(groups, level, resources, refused),
    })
  }

/** Runs all parts, but stops if the provider requests a pause, which applies to every call. */
async function runAll(steps: readonly (() => Promise<void>)[]): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const step of steps) {
    if (failures.some(requestsPause)) break
    await step().catch((error: unknown) => failures.push(error))
  }
  return failures
}

const requestsPause = (error: unknown): boolean => error instanceof CloudError && error.retryAfter !== null

const stopAndCharge =
  (
    groups: SandboxGroups,
    level: 'read' | 'full',
    resources: readonly SandboxResource[],
    refused: readonly unknown[],
  ): Step<SandboxRow> =>
  async (row, signal) => {
    const machines = resources.filter((each) => each.kind === 'machine')
    // Stops machines, also those whose state is unknown: stopping a stopped machine has no effect.
    const stops = level === 'read' && !refused.some(requestsPause)
    const toStop = stops ? machines.filter(({ billed }) => billed !== false) : []
    const unstopped = await runAll(
      toStop.map(
        ({ name }) =>
          () =>
            groups.stopMachine(placeOf(row), name, signal),
      ),
    )
    return async (tx, locked) => {
      const { usedUp, next } = await charge(tx, locked, resources)
      const failures = [...refused, ...unstopped]
      const error = failures.find(requestsPause) ?? failures[0]
      if (error !== undefined) return error instanceof UserNotReplicated ? waitForUser(tx, locked) : { error }
      if (usedUp && locked.desired === 'ready') return { next: 0 }
      const stopping = locked.desired === 'frozen' && machines.some(({ billed }) => billed === true)
      return { next: stopping ? WAIT_SECONDS : next }
    }
  }

/** Maximum time until Azure knows a new user. In all recordings it is a matter of minutes. */
const USER_KNOWN_MS = 30 * 60_000
const NOT_KNOWN_YET = 'Azure does not know the new user yet. This takes up to five minutes.'
const NEVER_KNOWN =
  'Azure did not know the user within 30 minutes, so the portal has stopped trying. Delete the sandbox and create another.'

/** Waits for the user, which does not count as a failed attempt. Gives up after the maximum time. */
function waitForUser(
  _tx: Tx,
  { now, create_sent_at, created_at, attempts }: LockedRow<SandboxRow>,
): Outcome<SandboxRow> {
  const hasTimedOut = now.getTime() - (create_sent_at ?? created_at).getTime() > USER_KNOWN_MS
  return hasTimedOut
    ? { set: { attempts: attempts + 1, last_error: NEVER_KNOWN }, next: null }
    : { set: { last_error: NOT_KNOWN_YET }, next: WAIT_SECONDS }
}

/**
 * Ends a sandbox whose group was missing twice with enough time between. The group was deleted outside the portal, so
 * it is never recreated silently.
 */
async function handleMissing(
  tx: Tx,
  { id, now, absent_at, create_sent_at }: LockedRow<SandboxRow>,
): Promise<Outcome<SandboxRow>> {
  const since = { absent_at: absent_at ?? now, create_sent_at }
  const pause = secondsUntil(vanishedAt(since), now)
  if (pause > 0) return { set: { absent_at: since.absent_at }, next: pause }
  await endSandboxes(tx, [id])
  return { set: { ours: false }, next: 0 }
}
