import { expect, test } from 'vitest'
import { allocationsOf, type Settlement } from './allocations.ts'

let count = 0
const one = (reference: string, amount: number, settles: string | null = null): Settlement => ({
  id: ++count,
  reference,
  amount,
  settles,
})

test('a receipt settles the invoice that it names, then the oldest ones, and each invoice at most once', () => {
  const invoices = [one('A', 100), one('B', 50), one('C', 70)]
  const receipts = [one('first', 30), one('chosen', 60, 'B'), one('last', 1_000), one('absent', 5, 'none')]
  const applied = allocationsOf(invoices, receipts)
  expect(receipts.map(({ id }) => applied.get(id) ?? [])).toEqual([
    [{ invoice: 'A', amount: 30 }],
    [
      { invoice: 'B', amount: 50 },
      { invoice: 'A', amount: 10 },
    ],
    [
      { invoice: 'A', amount: 60 },
      { invoice: 'C', amount: 70 },
    ],
    [],
  ])
})
