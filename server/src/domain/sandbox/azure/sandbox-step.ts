import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/schema.ts'
import type { SandboxRow } from '../../../db/schema/azure-lab.ts'
import { CloudError } from '../../../providers/errors.ts'
import { type SandboxGroups, type SandboxResource, UserNotKnownYet } from '../../../providers/sandbox-groups.ts'
import type { Kind } from '../../../reconcile/loop.ts'
import type { LockedRow, Outcome, Step } from '../../../reconcile/outcome.ts'
import { holdLabUsers } from '../end-lab-users.ts'
import { secondsUntil, vanishedAt } from './gone.ts'
import { charge } from './meter.ts'
import { ALLOWED_SIZES } from './prices.ts'
import { endSandbox, placeOf, WAIT_SECONDS } from './sandbox-end.ts'
import { endSandboxes, SANDBOX_DUE } from './wake.ts'

export interface SandboxParts {
  readonly db: Db
  readonly groups: SandboxGroups
}

/** Makes Azure agree with the rows of sandboxes, and charges what stands in them. */
export const sandboxKind = (parts: SandboxParts): Kind<SandboxRow> => ({
  table: 'sandbox',
  channel: SANDBOX_DUE,
  lastingPause: 'asked',
  lockBefore,
  step: (row, signal) =>
    row.desired === 'gone'
      ? endSandbox(parts.groups)(row, signal)
      : row.ours
        ? furnish(parts)(row, signal)
        : makeGroup(parts)(row, signal),
  failed: (_row, error) => (error instanceof UserNotKnownYet ? waitForUser : { error }),
})

/**
 * Holds the sandbox's user, whose credits may change and whom PostgreSQL itself asks for when a row is written twice in
 * a transaction, and all of the user's sandboxes, in the order of their ids as by all who wait for several: a charge may
 * wake the others, or freeze them.
 */
async function lockBefore(tx: Tx, { azure_user_id }: SandboxRow): Promise<void> {
  await holdLabUsers(tx, 'azure_user', [azure_user_id])
  await sql`
    select id from sandbox where azure_user_id = ${azure_user_id} and ended_at is null order by id for update`.execute(
    tx,
  )
}

const userOf = (db: Db, { azure_user_id }: SandboxRow) =>
  db.selectFrom('azure_user').select(['object_id', 'email']).where('id', '=', azure_user_id).executeTakeFirstOrThrow()

/** Makes the group, or finds the one made before. Somebody else's of that name is left alone. */
const makeGroup =
  (parts: SandboxParts): Step<SandboxRow> =>
  async (row, signal) => {
    const { db, groups } = parts
    const place = placeOf(row)
    const seen = await groups.lookAtGroup(place, signal)
    if (seen.state !== 'absent' && !seen.ours) {
      throw new CloudError(
        'refused',
        `There is a group ${row.group_name} at the cloud already that is not this portal's.`,
      )
    }
    if (seen.state === 'deleting') {
      throw new CloudError('conflict', `The group ${row.group_name} is being deleted at the cloud.`, 30)
    }
    const made = { set: { ours: true }, next: furnish(parts) }
    if (seen.state !== 'absent') return made
    const { email: user } = await userOf(db, row)
    return (_tx, { now }) => ({
      set: { create_sent_at: now },
      async next(_row, stillSignal) {
        await groups.makeGroup({ ...place, location: row.location, user, endsAt: row.delete_at }, stillSignal)
        return made
      },
    })
  }

/**
 * Sizes, then access; then what stands in it is charged, and stopped where nothing pays for it, whatever was refused
 * before.
 */
const furnish =
  ({ db, groups }: SandboxParts): Step<SandboxRow> =>
  async (row, signal) => {
    const place = placeOf(row)
    if (row.ready_at === null) await groups.limitSizes(place, ALLOWED_SIZES, signal)
    const { object_id: objectId } = await userOf(db, row)
    // Whoever makes the user wakes its sandboxes.
    if (objectId === null) return { next: 60 }
    const resources = await groups.lookInside(place, signal)
    if (resources === null) return missing
    const level = row.desired === 'frozen' ? 'read' : 'full'
    const refused = await failuresOf([() => groups.setAccess(place, { level, objectId }, signal)])
    return (_tx, { now, ready_at, metered_at }) => ({
      set: {
        ...(refused.length > 0 ? {} : { access: level, ready_at: ready_at ?? now, metered_at: metered_at ?? now }),
        absent_at: null,
        seen_at: now,
      },
      next: stopAndCharge(groups, level, resources, refused),
    })
  }

/** Does one after the other, also after one that failed; the provider's pause is everybody's. */
async function failuresOf(works: readonly (() => Promise<void>)[]): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const work of works) {
    if (failures.some(asksForPause)) break
    await work().catch((error: unknown) => failures.push(error))
  }
  return failures
}

const asksForPause = (error: unknown): boolean => error instanceof CloudError && error.retryAfter !== null

const stopAndCharge =
  (
    groups: SandboxGroups,
    level: 'read' | 'full',
    resources: readonly SandboxResource[],
    refused: readonly unknown[],
  ): Step<SandboxRow> =>
  async (row, signal) => {
    const machines = resources.filter((one) => one.kind === 'machine')
    // One that can't be looked at is stopped as well: stopping what is stopped does nothing.
    const stops = level === 'read' && !refused.some(asksForPause)
    const toStop = stops ? machines.filter(({ billed }) => billed !== false) : []
    const unstopped = await failuresOf(
      toStop.map(
        ({ name }) =>
          () =>
            groups.stopMachine(placeOf(row), name, signal),
      ),
    )
    return async (tx, locked) => {
      const { usedUp, next } = await charge(tx, locked, resources)
      const failures = [...refused, ...unstopped]
      const error = failures.find(asksForPause) ?? failures[0]
      if (error !== undefined) return error instanceof UserNotKnownYet ? waitForUser(tx, locked) : { error }
      if (usedUp && locked.desired === 'ready') return { next: 0 }
      const stopping = locked.desired === 'frozen' && machines.some(({ billed }) => billed === true)
      return { next: stopping ? WAIT_SECONDS : next }
    }
  }

/** Azure is told of new users within minutes, by all that was recorded. */
const USER_KNOWN_MS = 30 * 60_000
const NOT_KNOWN_YET = 'Azure does not know its new user yet; it takes up to five minutes.'
const NEVER_KNOWN =
  'Azure has not come to know its user within 30 minutes, so nothing is tried any more. Delete it, and create another.'

/** No failure while it lasts: no attempt is counted, and the reason is shown. It is given up at last. */
function waitForUser(
  _tx: Tx,
  { now, create_sent_at, created_at, attempts }: LockedRow<SandboxRow>,
): Outcome<SandboxRow> {
  const over = now.getTime() - (create_sent_at ?? created_at).getTime() > USER_KNOWN_MS
  return over
    ? { set: { attempts: attempts + 1, last_error: NEVER_KNOWN }, next: null }
    : { set: { last_error: NOT_KNOWN_YET }, next: WAIT_SECONDS }
}

/** Missing twice, a while apart, it was deleted outside of this portal: it ends, and is never silently made again. */
async function missing(
  tx: Tx,
  { id, now, absent_at, create_sent_at }: LockedRow<SandboxRow>,
): Promise<Outcome<SandboxRow>> {
  const since = { absent_at: absent_at ?? now, create_sent_at }
  const pause = secondsUntil(vanishedAt(since), now)
  if (pause > 0) return { set: { absent_at: since.absent_at }, next: pause }
  await endSandboxes(tx, [id])
  return { set: { ours: false }, next: 0 }
}
