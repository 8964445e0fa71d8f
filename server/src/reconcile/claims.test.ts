import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import { machineQueue, markCommand, withClaimed } from '../domain/machine/claim.ts'
import { increaseQuota } from '../domain/machine/increase-quota.ts'
import { coverWithSecurityGroups } from '../domain/machine/security-groups.ts'
import { want } from '../domain/machine/wake.ts'
import { addMachine, makeTraining, type Place } from '../domain/meter/test-runs.ts'
import { connect } from '../db/client.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type ClaimableRow, leasedRows, type LeasedRows } from './claim.ts'
import type { Db } from '../db/schema.ts'

let database: TestDatabase
let db: Db
let training: Place
let machine: MachineId
let number = 0

beforeAll(async () => {
  database = await createTestDatabase(inject('testCluster'))
  db = connect({ connectionString: database.url }, { size: 4, as: 'owner' })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Each test has rows of its own; those before are due no more. */
beforeEach(async () => {
  await sql`update machine set reconcile_at = null`.execute(db)
  await sql`update security_group set reconcile_at = null`.execute(db)
  await sql`update payment set reconcile_at = null`.execute(db)
  await sql`update azure_user set reconcile_at = null`.execute(db)
  training = await makeTraining(db, `Claims ${number++}`)
  machine = await addMachine(db, training, `claimed-${number}`, 1000, [])
  await db.transaction().execute((tx) => coverWithSecurityGroups(tx, training.id))
  await sql`
    insert into payment (organisation_id, amount_paise, order_id, asked_by, reconcile_at)
    values (${training.organisation}, 100, ${randomUUID()}, 'admin', portal_now())`.execute(db)
  await sql`
    insert into azure_user (email, personal_email, days, end_at, total_paise, reconcile_at)
    values (${`asha-${number}@labs.test`}, 'asha@b.test', 1, portal_now() + interval '1 day', 1000, portal_now())`.execute(
    db,
  )
  await sql`update machine set reconcile_at = portal_now() where id = ${machine}`.execute(db)
  await sql`update security_group set reconcile_at = portal_now() where training_id = ${training.id}`.execute(db)
})

describe('a worker whose claim was taken over', () => {
  /** Claims the row, lets the lease end, and has another worker claim it. */
  async function takenOver<Row extends ClaimableRow>(rows: Pick<LeasedRows<Row>, 'claimDue'>, table: string) {
    const [first] = await rows.claimDue(db, 1, 60)
    await sql`update ${sql.table(table)} set leased_until = portal_now() where id = ${first!.id}`.execute(db)
    const [second] = await rows.claimDue(db, 1, 60)
    expect(second!.id).toBe(first!.id)
    return { first: first!, second: second! }
  }

  test('sends no command to a machine, and writes nothing of it', async () => {
    const { first, second } = await takenOver(machineQueue, 'machine')
    expect(await markCommand(db, first, 'stop')).toBe(false)
    expect(await withClaimed(db, first, async () => 'written')).toBeNull()
    expect(await machineQueue.keepClaims(db, [first], 60)).toEqual(new Set())
    expect(await markCommand(db, second, 'start')).toBe(true)
    expect(await withClaimed(db, second, async () => 'written')).toBe('written')
    expect(await machineQueue.keepClaims(db, [second], 60)).toEqual(new Set([machine]))
  })

  test.each([
    ['a payment', 'payment'],
    ["a training's ports", 'security_group'],
    ['a lab user with sandboxes', 'azure_user'],
  ] as const)('writes nothing of %s', async (_what, table) => {
    const rows = leasedRows<ClaimableRow>(table)
    const { first, second } = await takenOver(rows, table)
    expect(await rows.withClaimed(db, first, async () => 'written')).toBeNull()
    expect(await rows.keepClaims(db, [first], 60)).toEqual(new Set())
    expect(await rows.withClaimed(db, second, async () => 'written')).toBe('written')
    expect(await rows.keepClaims(db, [second], 60)).toEqual(new Set([second.id]))
  })
})

test('a machine that is being deleted is not wanted back by whoever comes too late', async () => {
  const desired = async () =>
    (await db.selectFrom('machine').select('desired').where('id', '=', machine).executeTakeFirstOrThrow()).desired
  await db.transaction().execute((tx) => want(tx, [machine], 'gone'))
  for (const late of ['running', 'stopped'] as const) {
    await db.transaction().execute((tx) => want(tx, [machine], late))
    expect(await desired()).toBe('gone')
  }
})

test('minutes are shared out over machines that live: none goes to one that is terminated or being deleted', async () => {
  const ended = await addMachine(db, training, `ended-${number}`, 1000, [])
  const going = await addMachine(db, training, `going-${number}`, 1000, [])
  await sql`update machine set allotted_minutes = 60 where training_id = ${training.id}`.execute(db)
  await sql`update machine set terminated_at = portal_now(), desired = 'gone', observed = 'absent', admin_password = null,
    reconcile_at = null
    where id = ${ended}`.execute(db)
  await sql`update machine set desired = 'gone' where id = ${going}`.execute(db)
  await db.transaction().execute((tx) => increaseQuota(tx, training.id, 30))
  const minutes = await db
    .selectFrom('machine')
    .select(['id', 'allotted_minutes'])
    .where('training_id', '=', training.id)
    .execute()
  expect(new Map(minutes.map((row) => [row.id, row.allotted_minutes]))).toEqual(
    new Map([
      [machine, 90],
      [ended, 60],
      [going, 60],
    ]),
  )
})

test('an entry that bears the number of a payment at the provider stands once, in whichever account', async () => {
  const other = await makeTraining(db, `Other ${number}`)
  const credit = (organisation: string, source: string) =>
    sql`insert into ledger_entry (organisation_id, kind, reference, particular, amount_paise, date, source, created_by)
      values (${organisation}, 'payment', 'pay_1', 'Online payment', 100, '2026-01-31', ${source}, 'admin')`.execute(db)
  await credit(training.organisation, 'provider')
  await expect(credit(other.organisation, 'provider')).rejects.toMatchObject({ code: '23505' })
  await expect(credit(training.organisation, 'manual')).rejects.toMatchObject({ code: '23505' })
})
