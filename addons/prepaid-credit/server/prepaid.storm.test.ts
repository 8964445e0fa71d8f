import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { PrepaidAccountRow } from '../tables.gen.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { trialBalance } from '@trainyard/accounting/server/trial-balance.ts'
import { unchargedLinesOf } from '@trainyard/invoices/server/charging.ts'
import { addMachine, makeTraining } from '@trainyard/usage/server/test-runs.ts'
import { prepaidStateOf } from './prepaid.ts'
import { addPurchase } from './purchase.ts'

const { db } = await sharedDatabase()
const HOUR = 3_600_000

const run = fc.record({ from: fc.integer({ min: 0, max: 700 }), seconds: fc.integer({ min: 1, max: 40_000 }) })
const machine = fc.record({
  price: fc.integer({ min: 1, max: 9_999 }),
  isOwn: fc.boolean(),
  runs: fc.array(run, { minLength: 1, maxLength: 4 }),
})
const payments = fc.array(fc.integer({ min: 1, max: 5_000_00 }), { maxLength: 5 })

let count = 0

test('prepaid accounts use up exactly the usage that invoices charge', { timeout: 1_200_000 }, async () => {
  const [{ month }] = (
    await sql<{ month: string }>`
      select to_char(date_trunc('month', portal_now() at time zone 'Asia/Kolkata') - interval '1 month', 'YYYY-MM-DD') as month`.execute(
      db,
    )
  ).rows as [{ month: string }]
  const begin = new Date(`${month}T00:00:00+05:30`)
  await fc.assert(
    fc.asyncProperty(fc.array(machine, { minLength: 1, maxLength: 5 }), payments, async (machines, amounts) => {
      count += 1
      const place = await makeTraining(db, `Prepaid ${count}`)
      const { id: own } = await db
        .insertInto('training')
        .values({ name: `Own ${count}`, organisation_id: place.organisation })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (const [number, { price, isOwn, runs }] of machines.entries()) {
        const sorted = runs.toSorted((a, b) => a.from - b.from)
        const apart = sorted.filter(({ from }, at) => at === 0 || from > sorted[at - 1]!.from + 12)
        await addMachine(
          db,
          { organisation: place.organisation, id: isOwn ? own : place.id },
          `prepaid-${count}-${number}`,
          price,
          apart.map(({ from, seconds }) => {
            const start = new Date(begin.getTime() + from * HOUR)
            return { start, stop: new Date(start.getTime() + seconds * 1_000), paisePerHour: paise(price) }
          }),
        )
      }
      const { organisation } = place
      await sql`insert into prepaid_account (organisation_id, training_id, started_at)
        values (${organisation}, null, ${begin}), (${organisation}, ${own}, ${begin})`.execute(db)
      let [bought, paid] = [0, 0]
      for (const [at, amount] of amounts.entries()) {
        await db.transaction().execute(async (tx) => {
          const payment = `P-${count}-${at}`
          await addEntry(tx, {
            organisation,
            kind: 'payment',
            reference: payment,
            particular: payment,
            amount: paise(amount),
            date: month,
            source: 'manual',
            by: 'test',
          })
          bought += await addPurchase(
            tx,
            { organisation, training: at % 2 === 0 ? null : own },
            { payment, amount: paise(amount) },
          )
        })
        paid += amount
      }
      const { rows: accounts } = await sql<PrepaidAccountRow>`
        select * from prepaid_account where organisation_id = ${organisation}`.execute(db)
      let [used, left] = [0, 0]
      for (const account of accounts) {
        const state = await prepaidStateOf(db, account)
        used += state.used
        left += state.left
      }
      const lines = [month, nextMonth(month)].map((each) => unchargedLinesOf(db, organisation, each))
      const charged = (await Promise.all(lines)).flat().reduce((sum, { amount }) => sum + amount, 0)
      expect(used).toBe(charged)
      // Without a tax rate, the credit equals the whole payment, and the advance equals what was paid.
      expect([bought, left]).toEqual([paid, paid - used])
    }),
    { numRuns: 1_000 },
  )
  const { debitPaise, creditPaise } = await trialBalance(db, '2999-12-31')
  expect(debitPaise).toBe(creditPaise)
  expect(await brokenInvariants(db, { quiet: false })).toEqual([])
})

function nextMonth(month: string): string {
  const at = new Date(`${month}T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + 1)
  return at.toISOString().slice(0, 10)
}
