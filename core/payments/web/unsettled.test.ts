import { expect, it } from 'vitest'
import type { Page } from '@trainyard/ledger/web/statement.ts'
import { arrivalOf, paymentsIn } from './unsettled.ts'

const entry = (id: string, payment: number | null) => ({
  date: '2026-02-03',
  particular: 'x',
  kind: payment === null ? ('invoice' as const) : ('payment' as const),
  invoice: payment === null ? 500 : null,
  payment,
  id,
})
const pageOf = (...transactions: Page['transactions']): Page => ({
  legal: { name: 'Acme', gst: null, balance: 0, limit: 0 },
  opening: 0,
  transactions,
  earlier: null,
})

it('finds the arrived payment and no other of the same amount', () => {
  const before = pageOf(entry('pay_1', 500), entry('INV', null))
  const order = { order_id: 'o', amount: 500_00, keyId: 'k', currency: 'INR', checkoutScript: '' } as const
  const unsettled = { order, known: paymentsIn(before), why: '' }
  expect(arrivalOf(unsettled, before)).toBeUndefined()
  expect(arrivalOf(unsettled, pageOf(...before.transactions, entry('pay_2', 400)))).toBeUndefined()
  expect(arrivalOf(unsettled, pageOf(...before.transactions, entry('pay_3', 500)))?.id).toBe('pay_3')
})
