import { sql } from 'kysely'
import { leasedRows } from '../../../reconcile/claim.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { SandboxRow } from '../../../db/schema/azure-lab.ts'
import { CloudError } from '../../../providers/errors.ts'
import { type SandboxGroups, UserNotKnownYet } from '../../../providers/sandbox-groups.ts'
import { holdLabUsers } from '../end-lab-users.ts'
import { recordError, type ErrorParts } from '../failures.ts'
import { removedAt, secondsUntil, vanishedAt } from './gone.ts'
import { charge } from './meter.ts'
import { ALLOWED_SIZES } from './prices.ts'
import { endSandboxes } from './wake.ts'

export interface SandboxStepParts extends ErrorParts {
  readonly groups: SandboxGroups
}

export const sandboxes = leasedRows<SandboxRow>('sandbox')

/** While something is at work at the provider it is looked at this often. */
const WAIT_SECONDS = 10
/** A deletion that takes longer than this shows so. */
const SLOW_DELETION_MS = 600_000

/** Does what a claimed sandbox needs now at the provider, writes down what came of it, and gives the row back. */
export async function takeSandboxStep(parts: SandboxStepParts, row: SandboxRow, signal: AbortSignal): Promise<void> {
  try {
    await (row.desired === 'gone' ? end(parts, row, signal) : keep(parts, row, signal))
  } catch (fault) {
    if (fault instanceof UserNotKnownYet) return waitForUser(parts.db, row)
    const hold = (tx: Tx) => holdLabUsers(tx, 'azure_user', [row.azure_user_id])
    await recordError(parts, sandboxes, row, fault, { hold })
  }
}

/** Group, sizes, access, in this order; then what stands in it is charged, and stopped where nothing pays for it. */
async function keep({ db, groups }: SandboxStepParts, row: SandboxRow, signal: AbortSignal): Promise<void> {
  const place = placeOf(row)
  const user = await db
    .selectFrom('azure_user')
    .select(['object_id', 'email'])
    .where('id', '=', row.azure_user_id)
    .executeTakeFirstOrThrow()
  if (!row.ours && (await makeGroup({ db, groups }, row, user.email, signal)) === 'lost') return
  if (row.ready_at === null) await groups.limitSizes(place, ALLOWED_SIZES, signal)
  // Whoever makes the user wakes its sandboxes.
  if (user.object_id === null) return release(db, row, 60)
  const resources = await groups.lookInside(place, signal)
  if (resources === null) return missing(db, row)
  const level = row.desired === 'frozen' ? 'read' : 'full'
  await groups.setAccess(place, { level, objectId: user.object_id }, signal)
  const opened = await note(db, row, (tx) =>
    sql`update sandbox set access = ${level}, ready_at = coalesce(ready_at, portal_now()), absent_at = null,
      seen_at = portal_now(), metered_at = coalesce(metered_at, portal_now()) where id = ${row.id}`.execute(tx),
  )
  if (opened === null) return
  const machines = resources.filter((one) => one.kind === 'machine')
  const running = machines.some(({ billed }) => billed === true)
  // One that can't be looked at is stopped as well: stopping what is stopped does nothing.
  const toStop = row.desired === 'frozen' ? machines.filter(({ billed }) => billed !== false) : []
  for (const { name } of toStop) await groups.stopMachine(place, name, signal)
  await noteCharging(db, row, async (tx, locked) => {
    const { usedUp, next } = await charge(tx, locked, resources)
    await sql`update sandbox set attempts = 0, last_error = null where id = ${row.id}`.execute(tx)
    const stopping = locked.desired === 'frozen' && running
    const again = (usedUp && locked.desired === 'ready') || locked.generation !== row.generation
    await sandboxes.release(tx, row, again ? 0 : stopping ? WAIT_SECONDS : next)
  })
}

/** Azure is told of new users within minutes, by all that was recorded. */
const USER_KNOWN_MS = 30 * 60_000
const NOT_KNOWN_YET = 'Azure does not know its new user yet; it takes up to five minutes.'
const NEVER_KNOWN =
  'Azure has not come to know its user within 30 minutes, so nothing is tried any more. Delete it, and create another.'

/** No failure while it lasts: no attempt is counted, and the reason is shown. It is given up at last. */
async function waitForUser(db: Db, row: SandboxRow): Promise<void> {
  await note(db, row, async (tx, { now, create_sent_at, created_at, generation }) => {
    const over = now.getTime() - (create_sent_at ?? created_at).getTime() > USER_KNOWN_MS
    await sql`update sandbox set attempts = ${over ? row.attempts + 1 : 0},
      last_error = ${over ? NEVER_KNOWN : NOT_KNOWN_YET} where id = ${row.id}`.execute(tx)
    await sandboxes.release(tx, row, generation !== row.generation ? 0 : over ? null : WAIT_SECONDS)
  })
}

/** Makes the group, or finds the one made before. Somebody else's of that name is left alone. */
async function makeGroup(
  { db, groups }: Pick<SandboxStepParts, 'db' | 'groups'>,
  row: SandboxRow,
  user: string,
  signal: AbortSignal,
): Promise<'made' | 'lost'> {
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
  if (seen.state === 'absent') {
    const sent = await note(db, row, (tx) =>
      sql`update sandbox set create_sent_at = portal_now() where id = ${row.id}`.execute(tx),
    )
    if (sent === null) return 'lost'
    await groups.makeGroup({ ...place, location: row.location, user, endsAt: row.delete_at }, signal)
  }
  const known = await note(db, row, (tx) => sql`update sandbox set ours = true where id = ${row.id}`.execute(tx))
  return known === null ? 'lost' : 'made'
}

/** Missing twice, a while apart, it was deleted outside of this portal: it ends, and is never silently made again. */
async function missing(db: Db, row: SandboxRow): Promise<void> {
  await note(db, row, async (tx, { now, absent_at, create_sent_at }) => {
    const since = { absent_at: absent_at ?? now, create_sent_at }
    const pause = secondsUntil(vanishedAt(since), now)
    if (pause === 0) {
      await sql`update sandbox set ours = false where id = ${row.id}`.execute(tx)
      await endSandboxes(tx, [row.id])
      return sandboxes.release(tx, row, 0)
    }
    await sql`update sandbox set absent_at = coalesce(absent_at, portal_now()) where id = ${row.id}`.execute(tx)
    await sandboxes.release(tx, row, pause)
  })
}

/** Access goes first; then what stood is charged a last time, the group deleted, and looked for until it is gone. */
async function end({ db, groups }: SandboxStepParts, row: SandboxRow, signal: AbortSignal): Promise<void> {
  const place = placeOf(row)
  const seen = await groups.lookAtGroup(place, signal)
  const ours = seen.state !== 'absent' && (seen.ours || row.ours)
  if (!ours) return conclude(db, row)
  if (seen.state === 'deleting') return waitForDeletion(db, row)
  await groups.setAccess(place, { level: 'none' }, signal)
  const blocked = await note(db, row, (tx) =>
    sql`update sandbox set access = 'none', blocked_at = coalesce(blocked_at, portal_now()), ours = true, absent_at = null,
      seen_at = portal_now() where id = ${row.id}`.execute(tx),
  )
  if (blocked === null) return
  if (!(await chargeLast({ db, groups }, row, signal))) return
  await groups.deleteGroup(place, signal)
  await waitForDeletion(db, row)
}

/** What stood until now is charged before it goes; a look that fails twice holds the deletion up no longer. */
async function chargeLast(
  { db, groups }: Pick<SandboxStepParts, 'db' | 'groups'>,
  row: SandboxRow,
  signal: AbortSignal,
): Promise<boolean> {
  if (row.metered_at === null || row.attempts > 1) return true
  const resources = await groups.lookInside(placeOf(row), signal)
  if (resources === null) return true
  return (await noteCharging(db, row, (tx, locked) => charge(tx, locked, resources))) !== null
}

async function waitForDeletion(db: Db, row: SandboxRow): Promise<void> {
  await note(db, row, async (tx, { now, blocked_at }) => {
    const slow = blocked_at !== null && now.getTime() - blocked_at.getTime() > SLOW_DELETION_MS
    const last_error = slow ? 'Access is blocked; the cloud is still deleting what stood in it.' : null
    await sql`update sandbox set attempts = 0, last_error = ${last_error}, absent_at = null, seen_at = portal_now()
      where id = ${row.id}`.execute(tx)
    await sandboxes.release(tx, row, WAIT_SECONDS)
  })
}

/** Nothing of ours was seen: for good, once nothing has come for a while. */
async function conclude(db: Db, row: SandboxRow): Promise<void> {
  await note(db, row, async (tx, locked) => {
    const pause = secondsUntil(removedAt({ ...locked, absent_at: locked.absent_at ?? locked.now }), locked.now)
    if (pause > 0) {
      await sql`update sandbox set ours = false, access = 'none', absent_at = coalesce(absent_at, portal_now()),
        blocked_at = coalesce(blocked_at, portal_now()), attempts = 0, last_error = null where id = ${row.id}`.execute(
        tx,
      )
      return sandboxes.release(tx, row, pause)
    }
    await sql`update sandbox set ended_at = portal_now(), access = 'none', attempts = 0,
      last_error = null, reconcile_at = null, leased_until = null where id = ${row.id}`.execute(tx)
  })
}

const placeOf = ({ id, group_name }: SandboxRow) => ({ id, group: group_name })

/**
 * Writes to the claimed row, with its user held: credits may change, and PostgreSQL itself asks for the user when a row
 * is written twice in a transaction. null when the claim is over.
 */
const note = <T>(db: Db, row: SandboxRow, work: (tx: Tx, row: SandboxRow & { readonly now: Date }) => Promise<T>) =>
  sandboxes.withClaimed(db, row, work, (tx) => holdLabUsers(tx, 'azure_user', [row.azure_user_id]))

/**
 * The same with all of the user's sandboxes held, in the order of their ids as by all who wait for several: a charge may
 * wake the others, or freeze them.
 */
export const noteCharging = <T>(
  db: Db,
  row: SandboxRow,
  work: (tx: Tx, row: SandboxRow & { readonly now: Date }) => Promise<T>,
) =>
  sandboxes.withClaimed(db, row, work, async (tx) => {
    await holdLabUsers(tx, 'azure_user', [row.azure_user_id])
    await sql`
      select id from sandbox where azure_user_id = ${row.azure_user_id} and ended_at is null order by id for update`.execute(
      tx,
    )
  })

async function release(db: Db, row: SandboxRow, seconds: number): Promise<void> {
  await note(db, row, async (tx, locked) => {
    await sql`update sandbox set attempts = 0, last_error = null where id = ${row.id}`.execute(tx)
    await sandboxes.release(tx, row, locked.generation === row.generation ? seconds : 0)
  })
}
