import { describe, expect, test } from 'vitest'
import type { MachineId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { customerNamed, SUPPLIER } from '../test/tax-documents.ts'
import type { MonthLine } from './queries.ts'
import { creditNoteOf } from './credit-note.ts'
import { type Customer, customerProblems } from './customer.ts'
import { invoiceOf } from './document.ts'
import { draftOf } from './draft.ts'
import { amountInWords } from './gst/words.ts'

const customerWith = (more: Partial<Customer> = {}) => customerNamed('o' as OrganisationId, 'Acme School', more)
const GST = '29AABCR1718E1ZL'

describe('customer', () => {
  test.each<[string, Partial<Customer>]>([
    ['with an address and no GST number', {}],
    ['with the GST number of its state', { gst: GST }],
    ['whose GST number is of no state', { gst: '99AABCR1718E1ZL' }],
    ['abroad, without state and PIN code', { place: 'abroad', country: 'SG', state: null, pin: null }],
    ['in an SEZ, with its GST number', { place: 'sez', gst: GST }],
    ['of a name of three letters', { legalName: 'Abc' }],
  ])('%s can be billed', (_how, more) => {
    expect(customerProblems(customerWith(more))).toEqual([])
  })

  test.each<[Partial<Customer>, string]>([
    [{ addressLine1: null, city: null }, 'Still missing in the billing settings of Acme School: address, city.'],
    [{ pin: null, state: null }, 'Still missing in the billing settings of Acme School: PIN code, state.'],
    [{ place: 'abroad' }, 'Still missing in the billing settings of Acme School: country.'],
    [
      { place: 'sez' },
      'Still missing in the billing settings of Acme School: GST number (required for a customer in an SEZ).',
    ],
    [{ place: 'sez', gst: GST, state: null }, 'Still missing in the billing settings of Acme School: state.'],
    [
      { legalName: 'Ab' },
      'The name cannot be printed. Set a legal name of at least 3 characters in Latin or an Indian script.',
    ],
    [
      { legalName: 'A “school” of 日本' },
      'The name cannot be printed. Set a legal name of at least 3 characters in Latin or an Indian script.',
    ],
    [{ gst: GST, state: '33' }, 'The state of the GST number differs from the state of the address.'],
    [{ place: 'abroad', country: 'SG', gst: GST }, 'A customer abroad cannot have a GST number.'],
  ])('with %j cannot be billed: %s', (more, problem) => {
    expect(customerProblems(customerWith(more))).toEqual([problem])
  })
})

describe('invoice draft', () => {
  const line = (training: string, seconds: number, amount: number, beforeChange = 0): MonthLine => ({
    month: '2026-10-01',
    machineId: 'm' as MachineId,
    machine: 'vm-1',
    training,
    seconds,
    amount: paise(amount),
    beforeChange: paise(beforeChange),
  })
  const draft = (lines: readonly MonthLine[], settings: object = {}, day = '2026-11-02', advance = 0) =>
    draftOf({ ...SUPPLIER, ...settings }, customerWith(), '2026-10', { lines, advance: paise(advance) }, day)

  test('has one item per training with its machines, hours and amount, and lists every machine', () => {
    const drafted = draft([line('A "first" course', 5_400, 150), line('A "first" course', 1_800, 50), line('B', 36, 7)])
    expect(drafted).toMatchObject({
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

  test('uses the tax rate in force on its day', () => {
    const rates = [
      { from: '2026-11-02', basisPoints: 1200 },
      { from: '2017-07-01', basisPoints: 1800 },
    ]
    const rateOn = (day: string) => {
      const drafted = draft([line('A', 3_600, 100)], { rates }, day)
      return 'document' in drafted ? drafted.document.items[0]!.rate : drafted.problems
    }
    expect([rateOn('2026-11-01'), rateOn('2026-11-02')]).toEqual([1800, 1200])
    expect(rateOn('2017-06-30')).toEqual(['No tax rate is in force yet.'])
  })

  test('requires a tax rate and a supplier whose GST number matches its state; reports a problem once', () => {
    expect(draft([], { rates: [] })).toEqual({ problems: ['The supplier settings have no tax rate.'] })
    expect(draft([], { state: '33' })).toEqual({
      problems: ['The state of the supplier’s GST number differs from the state of its address.'],
    })
  })

  test('has another digest when its content differs', () => {
    const digest = (amount: number) => {
      const drafted = draft([line('A', 3_600, amount)])
      return 'digest' in drafted ? drafted.digest : null
    }
    expect(digest(100)).toBe(digest(100))
    expect(digest(100)).not.toBe(digest(101))
  })
})

describe('credit note', () => {
  const invoice = {
    ...invoiceOf(
      SUPPLIER,
      customerWith(),
      '2026-10',
      [
        { description: 'One', taxablePaise: 1_003 },
        { description: 'Two', taxablePaise: 2_000 },
      ],
      [],
      1800,
      '2026-11-02',
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

  test('is limited by the remaining amount of its item', () => {
    const first = credit([], [2, 1_500])
    expect(first.items).toMatchObject([{ description: 'Two', taxablePaise: 1_500, cgstPaise: 135, sgstPaise: 135 }])
    expect(credit([first], [1, 1_003]).items).toMatchObject([{ description: 'One', taxablePaise: 1_003 }])
    expect(credit([first], [2, 500]).items).toMatchObject([{ taxablePaise: 500 }])
    expect(() => credit([first], [2, 501])).toThrow('At most ₹5.00 of item 2 can be credited.')
  })

  test('adds up to the invoice together with other notes; the last note includes the rounding', () => {
    const first = credit([], [1, 501])
    const last = credit([first], [1, 502], [2, 2_000])
    expect(first.totals.roundOffPaise).toBe(0)
    expect(first.totals.totalPaise + last.totals.totalPaise).toBe(invoice.totals.totalPaise)
    expect(last.of).toEqual({ number: invoice.number, date: invoice.date })
    expect(() => credit([first, last], [1, 0])).toThrow('The invoice is already fully credited.')
  })

  test('rejects an unknown item and an item given twice', () => {
    expect(() => credit([], [3, 1])).toThrow('The invoice has no item 3.')
    expect(() => credit([], [0, 1])).toThrow('The invoice has no item 0.')
    expect(() => credit([], [1, 1], [1, 1])).toThrow('An item is listed twice.')
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
])('formats %i paise as %s', (amount, words) => {
  expect(amountInWords(amount)).toBe(words)
})
