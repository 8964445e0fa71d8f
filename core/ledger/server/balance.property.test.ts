import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { EntryKind } from '../contract/entry.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { accountOf } from './account.ts'
import { addEntry } from './entries.ts'

const LONG = process.env.STORM === 'long'
const WRITERS = 4

interface Act {
  readonly kind: EntryKind | 'credit note'
  readonly amount: number
  readonly back: number
  /** End of the transaction. 'kill' terminates its connection while the transaction is open. */
  readonly end: 'commit' | 'roll back' | 'kill'
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('invoice', 'payment', 'refund', 'tds', 'credit note'),
  amount: fc.integer({ min: 1, max: 1_000_000_00 }),
  back: fc.integer({ min: 0, max: 40 }),
  end: fc.constantFrom('commit', 'commit', 'commit', 'roll back', 'kill'),
})

const { db, appUrl } = await sharedDatabase()

/** Returns the owed paise, computed by the documented rule instead of the code under test. */
async function owedByRule(snapshot: Db, organisation: OrganisationId): Promise<number> {
  const { rows } = await sql<{ kind: string; amount: number }>`
    select kind, amount_paise as amount from ledger_entry where organisation_id = ${organisation}`.execute(snapshot)
  const sum = (of: string) => rows.filter(({ kind }) => kind === of).reduce((total, { amount }) => total + amount, 0)
  // The ledger stores credit notes as payments.
  return sum('invoice') - sum('payment') + sum('refund') - sum('tds')
}

const bothSums = (organisation: OrganisationId) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const { rows } = await sql<{ owed: number }>`select invoice_paise - payment_paise as owed from ledger_balance
        where organisation_id = ${organisation}`.execute(snapshot)
      return [rows[0]?.owed ?? 0, await owedByRule(snapshot, organisation)]
    })

async function organisationOf(name: string): Promise<OrganisationId> {
  const made = await db
    .insertInto('organisation')
    .values({ name, logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

class PlannedRollback extends Error {}

test(
  'keeps the balance at invoices − credit notes − payments − TDS + refunds at every moment, also when writers are killed',
  { timeout: 300_000 },
  async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 24 }), async (acts) => {
        run += 1
        const organisation = await organisationOf(`Property ${run}`)
        const writers = Array.from({ length: WRITERS }, () =>
          connect({ connectionString: appUrl }, { size: 1, as: 'app' }),
        )
        const ended = new AbortController()
        const wrong: unknown[] = []
        const reader = (async () => {
          while (!ended.signal.aborted) {
            const [stored, rule] = await bothSums(organisation)
            if (stored !== rule) wrong.push([stored, rule])
          }
        })()
        const outcomes = new Map<string, 'in' | 'out'>()
        const write = async (writer: Db, { kind, amount, back, end }: Act, reference: string) => {
          const day = new Date(Date.UTC(2026, 3, 30 - back)).toISOString().slice(0, 10)
          try {
            await writer.transaction().execute(async (tx) => {
              await addEntry(tx, {
                organisation,
                kind: kind === 'credit note' ? 'payment' : kind,
                reference,
                particular: kind,
                amount: amount as Paise,
                date: day,
                source: 'manual',
                by: 'property',
                ...(kind === 'refund' && { refundOf: 'pay_1' }),
                ...(kind === 'tds' && { tds: { section: '194J', year: '26-27', quarter: 1 } }),
              })
              if (end === 'roll back') throw new PlannedRollback()
              if (end === 'kill') await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
            })
            outcomes.set(reference, 'in')
          } catch (error) {
            if (end === 'commit') throw error
            outcomes.set(reference, 'out')
          }
        }
        await Promise.all(
          writers.map(async (writer, place) => {
            for (const [number, each] of acts.entries()) {
              if (number % WRITERS === place) await write(writer, each, `N-${number}`)
            }
          }),
        )
        ended.abort()
        await reader
        await Promise.all(writers.map((writer) => writer.destroy()))

        expect(wrong).toEqual([])
        const { rows } = await sql<{ reference: string }>`
          select reference from ledger_entry where organisation_id = ${organisation}`.execute(db)
        const expected = acts.map((_, number) => `N-${number}`).filter((name) => outcomes.get(name) === 'in')
        expect(rows.map(({ reference }) => reference).toSorted()).toEqual(expected.toSorted())
        const [stored, rule] = await bothSums(organisation)
        expect(stored).toBe(rule)
        const account = await accountOf(db, { id: organisation, name: '', timeZone: 'UTC' }, undefined)
        const last = account.transactions.reduce(
          (owed, { invoice, payment }) => {
            return owed + Math.round((invoice ?? 0) * 100) - Math.round((payment ?? 0) * 100)
          },
          Math.round(account.opening * 100),
        )
        expect([last, Math.round(account.legal.balance * 100)]).toEqual([rule, rule])
      }),
      { numRuns: LONG ? 200 : 6, ...(LONG ? {} : { seed: 16 }) },
    )
  },
)
