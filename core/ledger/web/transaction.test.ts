import { describe, expect, it } from 'vitest'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import { ledger } from '../contract/ledger.ts'
import { type TransactionForm, transactionOf, type TransactionType } from './transaction.ts'

const whole: TransactionForm = {
  organization: 'Acme Learning',
  id: 'TY-1',
  amount: '12.50',
  date: '2026-11-21',
  tds: { amount: '' },
  tax: { taxable: '', basisPoints: '', sac: '' },
}
const problemsOf = (entered: TransactionForm, type: TransactionType) =>
  problemsIn(ledger.add.body, transactionOf(entered, type), entered)

describe('invoice and payment form', () => {
  it('accepts a complete form', () => {
    expect(problemsOf(whole, 'invoice')).toEqual({})
    const tax = { taxable: '1,000', basisPoints: '18.5', sac: '99 83-15' }
    expect(problemsOf({ ...whole, tax }, 'invoice')).toEqual({})
    expect(transactionOf({ ...whole, tax }, 'invoice').tax).toMatchObject({ taxable: 1000, basisPoints: 1850 })
  })

  it('refuses a rate with parts of a basis point', () => {
    const tax = { taxable: '1,000', basisPoints: '18.123', sac: '998315' }
    expect(Object.keys(problemsOf({ ...whole, tax }, 'invoice'))).toContain('tax.basisPoints')
  })

  it('requires each field', () => {
    const empty = { ...whole, organization: '', id: ' ', amount: '', date: '' }
    expect(problemsOf(empty, 'invoice')).toEqual({
      organization: 'Organization is required',
      id: 'Invoice ID is required',
      amount: 'Amount must be greater than zero',
      date: 'Date is required',
    })
    expect(problemsOf(empty, 'payment')['id']).toBe('Payment ID is required')
  })

  it.each(['0', '-1', '0.00', 'ten', '-0.001', '1e9'])('rejects the amount %s', (amount) => {
    expect(problemsOf({ ...whole, amount }, 'payment')).toEqual({ amount: 'Amount must be greater than zero' })
  })

  it('says what is wrong with an amount that contains spaces', () => {
    const problem = 'Enter the number without spaces, as in 1,00,000 or 100000.'
    expect(problemsOf({ ...whole, amount: '1 00 000' }, 'invoice')).toEqual({ amount: problem })
  })

  it.each(['0.001', '12.345', '2.500'])('rejects more than two decimals, %s', (amount) => {
    expect(problemsOf({ ...whole, amount }, 'payment')).toEqual({ amount: 'Enter rupees with at most two decimals.' })
  })

  it('rejects deducted tax and tax details that are no numbers', () => {
    const problem = 'Enter rupees, or leave the field empty.'
    expect(problemsOf({ ...whole, tds: { amount: 'some' } }, 'payment')).toEqual({ 'tds.amount': problem })
    const tax = { taxable: '', basisPoints: '101', sac: '1' }
    expect(problemsOf({ ...whole, tax }, 'invoice')).toEqual({
      'tax.taxable': problem,
      'tax.basisPoints': 'Enter a rate such as 18, and at most 100%.',
      'tax.sac': 'Enter an accounting code of services, such as 998315.',
    })
  })
})
