import { describe, expect, test } from 'vitest'
import type { MachineId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import { paise } from '@trainyard/contract/words/money.ts'
import { customerNamed, SUPPLIER } from '#test/tax-documents.ts'
import type { MonthLine } from '../meter/months.ts'
import { creditNoteOf } from './credit.ts'
import { type Customer, customerProblems } from './customer.ts'
import { invoiceOf } from './document.ts'
import { draftOf } from './draft.ts'
import { amountInWords } from './gst/words.ts'

const named = (more: Partial<Customer> = {}) => customerNamed('o' as OrganisationId, 'Acme School', more)
const GST = '29AABCR1718E1ZL'

describe('a customer', () => {
  test.each<[string, Partial<Customer>]>([
    ['with an address and no GST number', {}],
    ['with the GST number of its state', { gst: GST }],
    ['whose GST number is of no state', { gst: '99AABCR1718E1ZL' }],
    ['abroad, without state and PIN code', { place: 'abroad', country: 'SG', state: null, pin: null }],
    ['in an SEZ, with its GST number', { place: 'sez', gst: GST }],
    ['of a name of three letters', { legalName: 'Abc' }],
  ])('%s can be billed', (_how, more) => {
    expect(customerProblems(named(more))).toEqual([])
  })

  test.each<[Partial<Customer>, string]>([
    [{ addressLine1: null, city: null }, 'Its billing settings lack an address, a city.'],
    [{ pin: null, state: null }, 'Its billing settings lack a PIN code, a state.'],
    [{ place: 'abroad' }, 'Its billing settings lack a country.'],
    [{ place: 'sez' }, 'Its billing settings lack a GST number, as a customer in an SEZ has one.'],
    [{ place: 'sez', gst: GST, state: null }, 'Its billing settings lack a state.'],
    [{ legalName: 'Ab' }, 'Its name can’t be printed: set a legal name.'],
    [{ legalName: 'A “school” of 日本' }, 'Its name can’t be printed: set a legal name.'],
    [{ gst: GST, state: '33' }, 'Its GST number is of another state than its address.'],
    [{ place: 'abroad', country: 'SG', gst: GST }, 'It is abroad, and has a GST number.'],
  ])('with %j can’t: %s', (more, problem) => {
    expect(customerProblems(named(more))).toEqual([problem])
  })
})

describe('a draft', () => {
  const line = (training: string, seconds: number, amount: number): MonthLine => ({
    machineId: 'm' as MachineId,
    machine: 'vm-1',
    training,
    seconds,
    amount: paise(amount),
  })
  const draft = (lines: readonly MonthLine[], settings: object = {}, day = '2026-11-02') =>
    draftOf({ ...SUPPLIER, ...settings }, named(), '2026-10', lines, day)

  test('bills each training its machines, hours and sum, and lists all machines', () => {
    const drawn = draft([line('A "first" course', 5_400, 150), line('A "first" course', 1_800, 50), line('B', 36, 7)])
    expect(drawn).toMatchObject({
      document: {
        items: [
          {
            description: 'Virtual lab machines, A ’first’ course, October 2026: 2 machines, 2.00 hours',
            taxablePaise: 200,
          },
          { description: 'Virtual lab machines, B, October 2026: 1 machine, 0.01 hours', taxablePaise: 7 },
        ],
        lines: [
          { amountPaise: 150 },
          { amountPaise: 50 },
          { machine: 'vm-1', training: 'B', seconds: 36, amountPaise: 7 },
        ],
      },
    })
  })

  test('has the rate of its day, the latest that is in force by then', () => {
    const rates = [
      { from: '2026-11-02', basisPoints: 1200 },
      { from: '2017-07-01', basisPoints: 1800 },
    ]
    const rateOn = (day: string) => {
      const drawn = draft([line('A', 3_600, 100)], { rates }, day)
      return 'document' in drawn ? drawn.document.items[0]!.rate : drawn.problems
    }
    expect([rateOn('2026-11-01'), rateOn('2026-11-02')]).toEqual([1800, 1200])
    expect(rateOn('2017-06-30')).toEqual(['No rate of tax is in force yet.'])
  })

  test('is not drawn without a rate, or where the supplier’s GST number is of another state, and says so once', () => {
    expect(draft([], { rates: [] })).toEqual({ problems: ['The supplier’s settings have no rate of tax.'] })
    expect(draft([], { state: '33' })).toEqual({
      problems: ['The supplier’s GST number is of another state than its address.'],
    })
  })

  test('is another than one with another content', () => {
    const digest = (amount: number) => {
      const drawn = draft([line('A', 3_600, amount)])
      return 'digest' in drawn ? drawn.digest : null
    }
    expect(digest(100)).toBe(digest(100))
    expect(digest(100)).not.toBe(digest(101))
  })
})

describe('a credit note', () => {
  const invoice = {
    ...invoiceOf(
      SUPPLIER,
      named(),
      '2026-10',
      [
        { description: 'One', taxablePaise: 1_003 },
        { description: 'Two', taxablePaise: 2_000 },
      ],
      [],
      1800,
    ),
    number: 'INV/26-27/00001',
    date: '2026-11-02',
  }
  const credit = (notes: readonly (typeof invoice)[], ...credits: [item: number, amount: number][]) =>
    creditNoteOf(
      invoice,
      notes,
      credits.map(([item, amount]) => ({ item, paise: amount })),
      'Too much',
    ) as typeof invoice

  test('takes off what is left of its own item, whatever others have taken off another', () => {
    const first = credit([], [2, 1_500])
    expect(first.items).toMatchObject([{ description: 'Two', taxablePaise: 1_500, cgstPaise: 135, sgstPaise: 135 }])
    expect(credit([first], [1, 1_003]).items).toMatchObject([{ description: 'One', taxablePaise: 1_003 }])
    expect(credit([first], [2, 500]).items).toMatchObject([{ taxablePaise: 500 }])
    expect(() => credit([first], [2, 501])).toThrow('Item 2 has ₹5.00 left to be credited.')
  })

  test('and others add up to the invoice, its rounding too, which the last takes', () => {
    const first = credit([], [1, 501])
    const last = credit([first], [1, 502], [2, 2_000])
    expect(first.totals.roundOffPaise).toBe(0)
    expect(first.totals.totalPaise + last.totals.totalPaise).toBe(invoice.totals.totalPaise)
    expect(last.of).toEqual({ number: invoice.number, date: invoice.date })
    expect(() => credit([first, last], [1, 0])).toThrow('Nothing is left to be credited.')
  })

  test('of an item that is not there, or named twice, is refused', () => {
    expect(() => credit([], [3, 1])).toThrow('The invoice has no item 3.')
    expect(() => credit([], [0, 1])).toThrow('The invoice has no item 0.')
    expect(() => credit([], [1, 1], [1, 1])).toThrow('An item is named twice.')
  })
})

test.each([
  [0, 'Rupees Zero Only'],
  [1, 'One Paisa Only'],
  [50, 'Fifty Paise Only'],
  [100, 'Rupee One Only'],
  [201, 'Rupees Two and One Paisa Only'],
  [2_000, 'Rupees Twenty Only'],
  [10_500_00, 'Rupees Ten Thousand Five Hundred Only'],
  [100_00, 'Rupees One Hundred Only'],
  [1_00_000_00, 'Rupees One Lakh Only'],
  [10_00_00_000_00, 'Rupees Ten Crore Only'],
  [1_00_00_000_00_000_00 + 19_00, 'Rupees One Lakh Crore Nineteen Only'],
  [99_99_942, 'Rupees Ninety-Nine Thousand Nine Hundred Ninety-Nine and Forty-Two Paise Only'],
])('%i paise are %s', (amount, words) => {
  expect(amountInWords(amount)).toBe(words)
})
