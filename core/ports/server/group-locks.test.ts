import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { queueOf } from '@trainyard/platform/server/run/reconcile/claim.ts'
import { ensureSecurityGroups, wakeEmptySecurityGroups, wakeSecurityGroups } from './security-groups.ts'
import { addMachine, makeTraining } from '@trainyard/usage/server/test-runs.ts'

const GROUPS = 8
const securityGroups = queueOf('security_group')
const ROUNDS = 25

const { db } = await sharedDatabase({ size: 12 })
const trainings: TrainingId[] = []
for (const name of ['First', 'Second']) {
  const training = await makeTraining(db, name)
  trainings.push(training.id)
  for (let group = 0; group < GROUPS; group++) {
    const machine = await addMachine(db, training, `${name.toLowerCase()}-${group}`, 1000, [])
    await sql`update machine set place = place || jsonb_build_object('group', ${`group-${group}`}::text) where id = ${machine}`.execute(
      db,
    )
  }
}

const inTransaction = (callback: (tx: Tx) => Promise<void>) => db.transaction().execute(callback)

test('does not deadlock if several groups change concurrently', async () => {
  for (const training of trainings) await inTransaction((tx) => ensureSecurityGroups(tx, training))
  const claimed = await securityGroups.claimDue(db, 2 * GROUPS, 600)
  expect(claimed).toHaveLength(2 * GROUPS)
  for (let round = 0; round < ROUNDS; round++) {
    // The test fails only after a deadlock: PostgreSQL resolves a deadlock by failing one of the two transactions.
    await Promise.all([
      ...trainings.map((training) => inTransaction((tx) => wakeSecurityGroups(tx, training))),
      ...trainings.map((training) => inTransaction((tx) => ensureSecurityGroups(tx, training))),
      inTransaction((tx) => wakeEmptySecurityGroups(tx, trainings)),
      inTransaction((tx) => wakeEmptySecurityGroups(tx, trainings.toReversed())),
      securityGroups.renewClaims(db, claimed, 600),
      securityGroups.renewClaims(db, claimed.toReversed(), 600),
    ])
  }
  const { rows } = await sql<{ generation: number }>`select generation from security_group`.execute(db)
  expect(rows).toHaveLength(2 * GROUPS)
  // Each round wakes each group twice. No wake-up may be lost.
  expect(new Set(rows.map(({ generation }) => generation >= 2 * ROUNDS))).toEqual(new Set([true]))
})

test('creates each group once if a training is ordered for the first time concurrently', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await sql`delete from security_group`.execute(db)
    await Promise.all(
      [...trainings, ...trainings, ...trainings].map((training) =>
        inTransaction((tx) => ensureSecurityGroups(tx, training)),
      ),
    )
    const { rows } = await sql`select from security_group`.execute(db)
    expect(rows).toHaveLength(2 * GROUPS)
  }
})
