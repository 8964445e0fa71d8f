import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect } from '../../db/client.ts'
import { createTestDatabase, type TestDatabase } from '../../db/embedded/test-database.ts'
import type { Db } from '../../db/schema.ts'
import { type FarEnd, startFarEnd } from '../../providers/azure/test-far-end.ts'
import type { CallGate } from '../../providers/call-gate.ts'
import { coverWithSecurityGroups } from '../machine/security-groups.ts'
import { addMachine, makeTraining } from '../meter/test-runs.ts'
import { securityGroups, takeGroupStep } from './hold.ts'

let database: TestDatabase
let db: Db
let far: FarEnd
beforeAll(async () => {
  database = await createTestDatabase(inject('testCluster'))
  db = connect({ connectionString: database.url }, { size: 2, as: 'owner' })
  far = await startFarEnd()
  const training = await makeTraining(db, 'Paced')
  await addMachine(db, training, 'paced-1', 1000, [])
  await db.transaction().execute((tx) => coverWithSecurityGroups(tx, training.id))
})
afterAll(async () => {
  await far.stop()
  await db.destroy()
  await database.drop()
})

test('what is kept back by our own pacing is neither an attempt nor a trouble to show', async () => {
  const closed: CallGate = { pass: async () => 40, close: async () => {} }
  const faults: unknown[] = []
  const parts = { db, cloud: far.cloud(undefined, closed), onFault: (fault: unknown) => faults.push(fault) }
  for (let turn = 0; turn < 4; turn++) {
    await sql`update security_group set reconcile_at = portal_now()`.execute(db)
    const [group] = await securityGroups.claimDue(db, 1, 60)
    await takeGroupStep(parts, group!, AbortSignal.timeout(20_000))
  }
  const { rows } = await sql`
    select attempts, trouble, leased_until, reconcile_at > portal_now() + interval '30 seconds' as later
    from security_group`.execute(db)
  expect(rows).toEqual([{ attempts: 0, trouble: null, leased_until: null, later: true }])
  expect(faults).toEqual([])
})
