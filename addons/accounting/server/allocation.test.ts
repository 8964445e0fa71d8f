import { expect, test } from 'vitest'
import type { EntryKind } from '@trainyard/ledger/contract/entry.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'
import { allocations } from './allocation.ts'
import { openInvoices } from './open.ts'
import { postEntry } from '@trainyard/ledger/server/entries.ts'

const { db } = await sharedDatabase()
let count = 0

type Entry = readonly [kind: EntryKind, reference: string, amount: number, more?: Record<string, string>]

/** Returns what each receipt settles and what remains open, by reference. */
async function settle(entries: readonly Entry[]) {
  const { id: organisation } = await db
    .insertInto('organisation')
    .values({ name: `Allocation ${++count}`, logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const references = new Map<number, string>()
  for (const [place, [kind, reference, amount, more]] of entries.entries()) {
    const added = await db.transaction().execute(async (tx) => {
      const entry = await tx
        .insertInto('ledger_entry')
        .values({
          organisation_id: organisation,
          kind,
          reference,
          particular: reference,
          amount_paise: amount,
          date: `2026-01-${String(place + 1).padStart(2, '0')}`,
          source: 'manual',
          created_by: 'test',
          ...more,
        } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      await postEntry(tx, { id: entry.id, organisation, kind })
      return entry
    })
    references.set(added.id, reference)
  }
  const applied = [...(await allocations(db, organisation))].map(
    ([id, parts]) => [references.get(id), parts.map(({ invoice, amount }) => [invoice, amount])] as const,
  )
  return { applied: Object.fromEntries(applied), open: await openOf(organisation) }
}

async function openOf(organisation: OrganisationId): Promise<Record<string, number>> {
  const open = await openInvoices(db, '2026-12-01', { organisation })
  return Object.fromEntries(open.map((each) => [each.invoice, each.open]))
}

test('a receipt settles the named invoice, then the oldest invoices, and each invoice at most once', async () => {
  const invoices: Entry[] = [
    ['invoice', 'A', 100],
    ['invoice', 'B', 50],
    ['invoice', 'C', 70],
  ]
  const receipts: Entry[] = [
    ['payment', 'first', 30],
    ['payment', 'chosen', 60, { settles: 'B' }],
    ['payment', 'second for B', 40, { settles: 'B' }],
  ]
  const applied = {
    first: [['A', 30]],
    chosen: [
      ['B', 50],
      ['A', 10],
    ],
    'second for B': [['A', 40]],
  }
  expect(await settle([...invoices, ...receipts])).toEqual({ applied, open: { A: 20, C: 70 } })
  expect(await settle([...invoices, ...receipts, ['payment', 'last', 1_000]])).toEqual({
    applied: {
      ...applied,
      last: [
        ['A', 20],
        ['C', 70],
      ],
    },
    open: {},
  })
})

test('negative entries of earlier versions reduce the oldest receipts, and settle the oldest invoices', async () => {
  const entries: Entry[] = [
    ['invoice', 'A', 100],
    ['invoice', 'B', 100],
    ['invoice', 'correction', -10],
    ['payment', 'first', 80],
    ['payment', 'second', 60],
    ['payment', 'returned', -50],
  ]
  expect(await settle(entries)).toEqual({
    applied: { first: [['A', 40]], second: [['A', 60]] },
    open: { B: 100 },
  })
})

test('refunded and reversed receipts settle nothing', async () => {
  const entries: Entry[] = [
    ['invoice', 'A', 100],
    ['payment', 'refunded', 80],
    ['refund', 'refund', 50, { refund_of: 'refunded' }],
    ['payment', 'reversed', 100, { settles: 'A' }],
    ['payment reversal', 'reversal', 100, { reverses: 'reversed' }],
  ]
  expect(await settle(entries)).toEqual({ applied: { refunded: [['A', 30]] }, open: { A: 70 } })
})
