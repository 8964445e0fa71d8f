import fc from 'fast-check'
import { expect, test } from 'vitest'
import { financialYear } from '@trainyard/ledger/contract/financial-year.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { customerNamed, SUPPLIER } from '../../test/tax-documents.ts'
import { invoiceOf } from '../document.ts'
import { irnOf, serialNumber } from './serial.ts'
import { nearest, wordsOf } from './test-oracle.ts'

/**
 * Independent model of the tax rules for the test: it uses fractions and digit strings, while the code uses whole paise
 * and divisions.
 */
interface Case {
  readonly supplier: string
  readonly place: 'india' | 'sez' | 'abroad'
  /** State code of the customer's GST number, or null if the customer is not registered. */
  readonly registered: string | null
  readonly addressState: string
  readonly undertaking: boolean
  readonly rate: number
  readonly items: readonly number[]
}

/**
 * Returns the place of supply by the IGST Act. For a registered recipient it is the place of the registration (section
 * 12(2)(a)), otherwise the address on record (section 12(2)(b)(i)). For a recipient abroad, section 13(2) applies.
 */
const placeBySections = ({ place, registered, addressState }: Case) =>
  place === 'abroad' ? '96' : (registered ?? addressState)

function taxBySections(one: Case): { cgst: bigint; sgst: bigint; igst: bigint }[] {
  // Sections 7(5) and 16 of the IGST Act: exports and supplies to an SEZ are inter-state and zero-rated.
  const zeroRated = one.place !== 'india'
  const interState = zeroRated || placeBySections(one) !== one.supplier
  return one.items.map((paise) => {
    const value = BigInt(paise)
    if (zeroRated && one.undertaking) return { cgst: 0n, sgst: 0n, igst: 0n }
    if (interState) return { cgst: 0n, sgst: 0n, igst: nearest(value * BigInt(one.rate), 10_000n) }
    const half = nearest(value * BigInt(one.rate), 20_000n)
    return { cgst: half, sgst: half, igst: 0n }
  })
}

const states = fc.constantFrom('01', '04', '07', '26', '27', '29', '33', '34', '97')
const cases: fc.Arbitrary<Case> = fc.record({
  supplier: states,
  place: fc.constantFrom('india', 'india', 'india', 'sez', 'abroad'),
  registered: fc.option(states),
  addressState: states,
  undertaking: fc.boolean(),
  rate: fc.constantFrom(0, 25, 300, 500, 1200, 1800, 2800, 4000),
  items: fc.array(fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 90_000_000 })), {
    minLength: 1,
    maxLength: 8,
  }),
})

test('computes place of supply, taxes, rounding and words of 10,000 random invoices correctly', () => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(cases, (one) => {
      const written = invoiceOf(
        {
          ...SUPPLIER,
          state: one.supplier,
          undertakings: one.undertaking ? [{ year: '26-27', number: 'AD290000000000X' }] : [],
        },
        customerNamed('' as OrganisationId, 'Customer', {
          place: one.place,
          gst: one.registered === null ? null : `${one.registered}AABCR1718E1ZL`,
          state: one.addressState,
          country: one.place === 'abroad' ? 'AE' : null,
        }),
        '2026-10',
        one.items.map((taxablePaise, index) => ({ description: `Item ${index}`, taxablePaise })),
        [],
        one.rate,
        '2026-11-02',
      )
      const taxes = taxBySections(one)
      expect(written.placeOfSupply.code).toBe(placeBySections(one))
      expect(written.items.map(({ cgstPaise, sgstPaise, igstPaise }) => [cgstPaise, sgstPaise, igstPaise])).toEqual(
        taxes.map(({ cgst, sgst, igst }) => [Number(cgst), Number(sgst), Number(igst)]),
      )
      const exact = one.items.reduce((sum, paise, index) => {
        const { cgst, sgst, igst } = taxes[index]!
        return sum + BigInt(paise) + cgst + sgst + igst
      }, 0n)
      const rupees = nearest(exact, 100n) * 100n
      expect(written.totals).toMatchObject({
        taxablePaise: one.items.reduce((sum, paise) => sum + paise, 0),
        roundOffPaise: Number(rupees - exact),
        totalPaise: Number(rupees),
      })
      expect(written.words).toBe(wordsOf(rupees))
      expect(written.summary).toEqual([
        expect.objectContaining({ sac: '998315', rate: one.rate, taxablePaise: written.totals.taxablePaise }),
      ])
      kinds.add(written.supplyType)
    }),
    { numRuns: 10_000, seed: 16 },
  )
  expect([...kinds].toSorted()).toEqual(['B2B', 'B2C', 'EXPWOP', 'EXPWP', 'SEZWOP', 'SEZWP'])
})

test('has serial numbers with the April-to-March year and at most 16 characters', () => {
  const day = fc.date({ min: new Date('2017-07-01'), max: new Date('2098-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(
      day,
      fc.integer({ min: 1, max: 99_999 }),
      fc.stringMatching(/^[A-Z1-9][A-Z0-9]{0,3}$/),
      (at, serial, prefix) => {
        const date = at.toISOString().slice(0, 10)
        // The financial year equals the calendar year of the day three months earlier.
        const [first] = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 3, 1)).toISOString().split('-')
        const number = serialNumber(prefix, financialYear(date), serial)
        expect(number).toBe(
          `${prefix}/${first!.slice(2)}-${String(Number(first) + 1).slice(2)}/${`0000${serial}`.slice(-5)}`,
        )
        expect(number).toMatch(/^[1-9A-Z][A-Z0-9/-]{0,15}$/)
      },
    ),
    { numRuns: 10_000 },
  )
  expect(financialYear('2027-03-31')).toBe('26-27')
  expect(financialYear('2027-04-01')).toBe('27-28')
})

test('computes the invoice reference number of the published example', () => {
  expect(irnOf('29AAFCC9980M1ZR', 'invoice', '2019-20/KA/1', '2019-10-01')).toBe(
    '23f498ee41441ecad30f72ba5b9907506c3df70a17b0e0dff46b76a786400662',
  )
})
