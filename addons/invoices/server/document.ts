import type { TaxDocument } from '../contract/invoice.ts'
import { ABROAD, localTaxOf, PLACES_OF_SUPPLY } from '@trainyard/ledger/contract/tax-document.ts'
import { GST_STATES } from '@trainyard/organisations/contract/gst.ts'
import { type ReadySupplier, undertakingOn } from './supplier/readiness.ts'
import { type Customer, legalNameOf } from './customer.ts'
import { supplyOf } from './gst/supply.ts'
import { roundOffOf, taxOn } from './gst/tax.ts'
import { amountInWords } from './gst/words.ts'

type Item = TaxDocument['items'][number]
type Money = Pick<Item, 'taxablePaise' | 'cgstPaise' | 'sgstPaise' | 'igstPaise'>

export interface BilledItem {
  readonly description: string
  readonly taxablePaise: number
  /** Rate of this item in basis points, if it differs from the invoice's rate. */
  readonly rate?: number
  /** Accounting code, if it differs from the code in the supplier settings. */
  readonly sac?: string
  /** Discount, already subtracted from the taxable amount. */
  readonly discountPaise?: number
}

/**
 * Returns an invoice without number and date.
 * @param month of the billed usage; null for an invoice with entered lines
 * @param standardRate basis points (hundredths of a per cent)
 * @param day decides the undertaking (LUT)
 */
export function invoiceOf(
  supplier: ReadySupplier,
  customer: Customer,
  month: string | null,
  billed: readonly BilledItem[],
  lines: TaxDocument['lines'],
  standardRate: number,
  day: string,
): TaxDocument {
  const parties = partiesOf(supplier, customer, day)
  const items = billed.map(
    ({ description, taxablePaise, rate = standardRate, sac = supplier.sac, discountPaise }): Item => {
      const { cgst, sgst, igst } = taxOn(taxablePaise, rate, parties.heads)
      const money = { taxablePaise, cgstPaise: cgst, sgstPaise: sgst, igstPaise: igst }
      return {
        description,
        sac,
        rate,
        ...(discountPaise !== undefined && { discountPaise }),
        ...money,
        totalPaise: sumOf(money),
      }
    },
  )
  const { heads: _heads, ...between } = parties
  const sum = add(items)
  return {
    kind: 'invoice',
    number: null,
    date: null,
    dueOn: null,
    month,
    ...between,
    reverseCharge: false,
    ...figuresOf(items, roundOffOf(sumOf(sum))),
    lines,
    of: null,
    reason: null,
  }
}

export function figuresOf(
  items: readonly Item[],
  roundOffPaise: number,
): Pick<TaxDocument, 'items' | 'summary' | 'totals' | 'words'> {
  const sum = add(items)
  const totalPaise = sumOf(sum) + roundOffPaise
  return {
    items: [...items],
    summary: summaryOf(items),
    totals: { ...sum, roundOffPaise, totalPaise },
    words: amountInWords(totalPaise),
  }
}

/** @param day decides the undertaking (LUT) */
export function partiesOf(supplier: ReadySupplier, customer: Customer, day: string) {
  const undertaking = undertakingOn(supplier, day)
  const recipient = { place: customer.place, gstin: customer.gst, state: customer.state }
  const { type, place, heads, endorsement } = supplyOf(supplier.state, recipient, undertaking !== null)
  const { bankName, accountName, accountNumber, ifsc } = supplier
  const under = type.endsWith('WOP') ? ` (${undertaking})` : ''
  return {
    heads,
    supplier: {
      legalName: supplier.legalName,
      gstin: supplier.gstin,
      address: {
        line1: supplier.addressLine1,
        line2: supplier.addressLine2,
        city: supplier.city,
        pin: supplier.pin,
        state: { code: supplier.state, name: GST_STATES[supplier.state]! },
        country: null,
      },
      email: supplier.email,
      phone: supplier.phone,
      bank:
        bankName === null || accountName === null || accountNumber === null || ifsc === null
          ? null
          : { bankName, accountName, accountNumber, ifsc },
      signatory: supplier.signatory,
      cin: supplier.cin,
    },
    customer: {
      legalName: legalNameOf(customer),
      gstin: customer.place === 'abroad' ? null : customer.gst,
      address: addressOf(customer),
      purchaseOrder: customer.purchaseOrder,
      costCentre: customer.costCentre,
    },
    supplyType: type,
    placeOfSupply: { code: place, name: PLACES_OF_SUPPLY[place]! },
    localTax: localTaxOf(supplier.state),
    endorsement: endorsement === null ? null : `${endorsement}${under}`,
  }
}

function addressOf(customer: Customer): TaxDocument['customer']['address'] {
  const abroad = customer.place === 'abroad'
  const state = abroad ? ABROAD : customer.state!
  return {
    line1: customer.addressLine1!,
    line2: customer.addressLine2,
    city: customer.city!,
    pin: abroad ? null : customer.pin,
    state: { code: state, name: PLACES_OF_SUPPLY[state]! },
    country: abroad ? customer.country : null,
  }
}

const sumOf = ({ taxablePaise, cgstPaise, sgstPaise, igstPaise }: Money): number =>
  taxablePaise + cgstPaise + sgstPaise + igstPaise

function add(items: readonly Money[]): Money {
  const sum = (part: keyof Money) => items.reduce((total, item) => total + item[part], 0)
  return {
    taxablePaise: sum('taxablePaise'),
    cgstPaise: sum('cgstPaise'),
    sgstPaise: sum('sgstPaise'),
    igstPaise: sum('igstPaise'),
  }
}

function summaryOf(items: readonly Item[]): TaxDocument['summary'] {
  const kinds = Map.groupBy(items, ({ sac, rate }) => `${sac} ${String(rate).padStart(5, '0')}`)
  return [...kinds.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, same]) => ({ sac: same[0]!.sac, rate: same[0]!.rate, ...add(same) }))
}
