import { describe, expect, it } from 'vitest'
import { problemsOf } from './transaction.ts'

const whole = {
  organization: 'Acme Learning',
  id: 'TY-1',
  amount: '12.50',
  date: '2026-11-21',
  tds: '',
  taxable: '',
  rate: '',
  sac: '',
}

describe('invoice and payment form', () => {
  it('accepts a complete form', () => {
    expect(problemsOf(whole, 'invoice')).toEqual({})
  })

  it('requires each field', () => {
    const empty = { organization: '', id: ' ', amount: '', date: '', tds: '', taxable: '', rate: '', sac: '' }
    expect(problemsOf(empty, 'invoice')).toEqual({
      organization: 'Organization is required',
      id: 'Invoice ID is required',
      amount: 'Amount must be greater than zero',
      date: 'Date is required',
    })
    expect(problemsOf(empty, 'payment').id).toBe('Payment ID is required')
  })

  it.each(['0', '-1', '0.00', 'ten', '-0.001'])('rejects the amount %s', (amount) => {
    expect(problemsOf({ ...whole, amount }, 'payment')).toEqual({ amount: 'Amount must be greater than zero' })
  })

  it('says what is wrong with an amount that contains spaces', () => {
    const problem = 'Enter the number without spaces, as in 1,00,000 or 100000.'
    expect(problemsOf({ ...whole, amount: '1 00 000' }, 'invoice')).toEqual({ amount: problem })
  })

  it.each(['0.001', '1e9', '12.345'])('rejects more than two decimals, %s', (amount) => {
    expect(problemsOf({ ...whole, amount }, 'payment')).toEqual({ amount: 'Enter rupees with at most two decimals.' })
  })

  it.each(['0', '-1', 'some', '1.234'])('rejects the deducted tax %s', (tds) => {
    expect(problemsOf({ ...whole, tds }, 'payment')).toEqual({ tds: 'Enter rupees, or leave the field empty.' })
  })
})
