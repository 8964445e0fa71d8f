import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { RateLimiter } from '@trainyard/platform/server/providers/rate-limiter.ts'
import { queueOf } from '@trainyard/platform/server/run/reconcile/claim.ts'
import { workOn } from '@trainyard/platform/server/run/reconcile/work.ts'
import { ensureSecurityGroups, wakeSecurityGroups } from './security-groups.ts'
import { addMachine, makeTraining } from '@trainyard/usage/server/test-runs.ts'
import type { SecurityGroupRow } from '../tables.gen.ts'
import { securityGroupKind } from './security-group.ts'
import { sharedDatabase, sharedEmulatedAzure } from '@trainyard/platform/test/shared.ts'

const { db } = await sharedDatabase()
const otherAzure = await sharedEmulatedAzure()
const training = await makeTraining(db, 'Paced')
await addMachine(db, training, 'paced-1', 1000, [])
await db.transaction().execute((tx) => ensureSecurityGroups(tx, training.id))

const securityGroups = queueOf<SecurityGroupRow>('security_group')
const noBug = (bug: unknown) => expect.unreachable(String(bug))
const work = (group: SecurityGroupRow, gate?: RateLimiter) =>
  workOn(
    db,
    securityGroupKind({ db, clouds: otherAzure.clouds(undefined, gate) }),
    group,
    AbortSignal.timeout(20_000),
    noBug,
  )

/** Makes all groups due, claims one group, and makes this group due again before its step ends. */
async function stepWhileWokenAgain(training: TrainingId, gate: RateLimiter) {
  await db.transaction().execute((tx) => wakeSecurityGroups(tx, training))
  const [group] = await securityGroups.claimDue(db, 1, 60)
  await db.transaction().execute((tx) => wakeSecurityGroups(tx, training))
  await work(group!, gate)
  const { rows } = await sql<{ due: boolean; settled: boolean; leased_until: Date | null }>`
    select reconcile_at <= portal_now() as due, leased_until, settled_generation is not distinct from generation as settled
    from security_group where training_id = ${training}`.execute(db)
  return rows
}
const AT_ONCE = [{ due: true, settled: false, leased_until: null }]
const OPEN: RateLimiter = { acquire: async () => 0, pause: async () => {} }
const CLOSED: RateLimiter = { acquire: async () => 40, pause: async () => {} }

test('is due immediately if it changed during its step, whatever the result of the step', async () => {
  const training = await makeTraining(db, 'Woken')
  await sql`update security_group set reconcile_at = null`.execute(db)
  const machine = await addMachine(db, training, 'woken-1', 1000, [])
  await db.transaction().execute((tx) => ensureSecurityGroups(tx, training.id))
  expect(await stepWhileWokenAgain(training.id, CLOSED)).toEqual(AT_ONCE)
  expect(await stepWhileWokenAgain(training.id, OPEN)).toEqual(AT_ONCE)
  // No machine uses the group, and the group does not exist at the provider. Its row remains while a new change is due.
  await sql`update machine set terminated_at = portal_now(), desired = 'gone', observed = 'absent', admin_password = null,
    reconcile_at = null where id = ${machine}`.execute(db)
  expect(await stepWhileWokenAgain(training.id, OPEN)).toEqual(AT_ONCE)
  const [group] = await securityGroups.claimDue(db, 1, 60)
  await work(group!)
  expect(await db.selectFrom('security_group').selectAll().where('training_id', '=', training.id).execute()).toEqual([])
  await sql`update security_group set reconcile_at = portal_now()`.execute(db)
})

test("counts a call that the portal's own rate limit delayed neither as an attempt nor as an error", async () => {
  for (let attempt = 0; attempt < 4; attempt++) {
    await sql`update security_group set reconcile_at = portal_now()`.execute(db)
    const [group] = await securityGroups.claimDue(db, 1, 60)
    await work(group!, CLOSED)
  }
  const { rows } = await sql`
    select attempts, last_error, leased_until, reconcile_at > portal_now() + interval '30 seconds' as later
    from security_group`.execute(db)
  expect(rows).toEqual([{ attempts: 0, last_error: null, leased_until: null, later: true }])
})
