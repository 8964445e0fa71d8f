import type { TaxDocument } from '@trainyard/invoices/contract/invoice.ts'
import type { Gstr1Table } from '../../contract/gst-return-words.ts'
import { type DocumentKind, isSupplyDocument } from '@trainyard/ledger/contract/tax-document.ts'

/**
 * Version field of GSTR-1 in the JSON form of the GST portal's offline tool. Field names are those that public programs
 * write, for example https://github.com/resilient-tech/india-compliance (utils/gstr_1). No import has confirmed them.
 */
const VERSION = 'GST3.2.1'

/** From this return period on, table 12 has separate lists for registered and other recipients (GSTN advisory of 1 May 2025). */
const HSN_SPLIT_FROM = '2025-05'

/** Codes of table 13. Financial credit notes are not documents of the GST law. */
const DOCUMENT_CODES: Readonly<Record<DocumentKind, number | null>> = {
  invoice: 1,
  'credit note': 5,
  'receipt voucher': 6,
  'refund voucher': 8,
  'financial credit note': null,
  'debit note': 4,
}

export interface ReturnDocument {
  readonly document: TaxDocument
  /** Invoice that a credit or debit note corrects; null for other documents. */
  readonly original: TaxDocument | null
}

export interface Advance {
  readonly place: string
  readonly isInterState: boolean
  readonly rate: number
  readonly taxablePaise: number
  readonly cgstPaise: number
  readonly sgstPaise: number
  readonly igstPaise: number
}

export interface Series {
  readonly kind: DocumentKind
  readonly from: string
  readonly to: string
  /** Number of documents, including the cancelled ones. */
  readonly count: number
  readonly cancelled: number
}

export interface ReturnContent {
  readonly gstin: string
  /** YYYY-MM. */
  readonly month: string
  readonly documents: readonly ReturnDocument[]
  readonly received: readonly Advance[]
  readonly adjusted: readonly Advance[]
  readonly series: readonly Series[]
}

/**
 * Returns the invoice value above which a supply to an unregistered recipient in another state is listed individually:
 * one lakh rupees since 1 August 2024 (notification 12/2024 of central tax), 2.5 lakh before.
 */
const largeInvoiceLimit = (day: string): number => (day < '2024-08-01' ? 250_000_00 : 100_000_00)

const isLarge = (invoice: TaxDocument): boolean =>
  isInterState(invoice) && invoice.totals.totalPaise > largeInvoiceLimit(invoice.date!)

export const isInterState = ({
  supplyType,
  placeOfSupply,
  supplier,
}: Pick<TaxDocument, 'supplyType' | 'placeOfSupply' | 'supplier'>): boolean =>
  !supplyType.startsWith('B2') || placeOfSupply.code !== supplier.address.state.code

/** Returns the table of GSTR-1 to which a document belongs; null if there is none. */
function tableOf({ document, original }: ReturnDocument): Gstr1Table | null {
  const { kind, supplyType } = document
  if (!isSupplyDocument(kind)) return null
  const isNote = kind !== 'invoice'
  if (supplyType === 'EXPWP' || supplyType === 'EXPWOP') return isNote ? 'cdnur' : 'exp'
  if (supplyType !== 'B2C') return isNote ? 'cdnr' : 'b2b'
  if (!isNote) return isLarge(document) ? 'b2cl' : 'b2cs'
  return isLarge(original ?? document) ? 'cdnur' : 'b2cs'
}

const rupees = (paise: number): number => paise / 100
const dayMonthYear = (day: string): string => day.split('-').toReversed().join('-')

type Money = Pick<Advance, 'taxablePaise' | 'cgstPaise' | 'sgstPaise' | 'igstPaise'>

function sumOf(parts: readonly Money[], sign: (part: Money) => number = () => 1): Money {
  const sum = (of: keyof Money) => parts.reduce((total, part) => total + sign(part) * part[of], 0)
  return {
    taxablePaise: sum('taxablePaise'),
    cgstPaise: sum('cgstPaise'),
    sgstPaise: sum('sgstPaise'),
    igstPaise: sum('igstPaise'),
  }
}

const taxes = (interState: boolean, { cgstPaise, sgstPaise, igstPaise }: Money) =>
  interState ? { iamt: rupees(igstPaise), csamt: 0 } : { camt: rupees(cgstPaise), samt: rupees(sgstPaise), csamt: 0 }

/** Returns the rate in basis points. Supplies under an undertaking (LUT) have the rate 0. */
const rateOf = ({ supplyType }: TaxDocument, rate: number): number => (supplyType.endsWith('WOP') ? 0 : rate)

/** Returns one part per rate, with the lowest rate first. */
function byRate<T extends Money & { readonly rate: number }>(parts: readonly T[]): (Money & { rate: number })[] {
  const groups = Map.groupBy(parts, ({ rate }) => rate)
  return [...groups.keys()].toSorted((a, b) => a - b).map((rate) => ({ rate, ...sumOf(groups.get(rate)!) }))
}

const itemsOf = (document: TaxDocument) =>
  byRate(document.items.map((item) => ({ ...item, rate: rateOf(document, item.rate) })))

const details = (document: TaxDocument) =>
  itemsOf(document).map((item, index) => ({
    num: index + 1,
    itm_det: {
      rt: rupees(item.rate),
      txval: rupees(item.taxablePaise),
      ...taxes(isInterState(document), item),
    },
  }))

const INVOICE_TYPES = { B2B: 'R', SEZWP: 'SEWP', SEZWOP: 'SEWOP' } as const

const invoiceType = ({ supplyType }: TaxDocument): string => INVOICE_TYPES[supplyType as keyof typeof INVOICE_TYPES]

const invoiceHead = ({ number, date, totals }: TaxDocument) => ({
  inum: number!,
  idt: dayMonthYear(date!),
  val: rupees(totals.totalPaise),
})

const noteHead = ({ kind, number, date, totals }: TaxDocument) => ({
  ntty: kind === 'debit note' ? 'D' : 'C',
  nt_num: number!,
  nt_dt: dayMonthYear(date!),
  val: rupees(totals.totalPaise),
})

/** Returns groups, sorted by their keys. */
const grouped = <T>(all: readonly T[], key: (one: T) => string): [string, T[]][] =>
  [...Map.groupBy(all, key).entries()].toSorted(([a], [b]) => (a < b ? -1 : 1))

export function gstr1Of({ gstin, month, documents, received, adjusted, series }: ReturnContent) {
  const inTable = (table: Gstr1Table) =>
    documents.filter((each) => tableOf(each) === table).map(({ document }) => document)
  const ofRecipient = (all: readonly TaxDocument[]) => grouped(all, ({ customer }) => customer.gstin!)
  const tables = {
    b2b: ofRecipient(inTable('b2b')).map(([ctin, invoices]) => ({
      ctin,
      inv: invoices.map((each) => ({
        ...invoiceHead(each),
        pos: each.placeOfSupply.code,
        rchrg: 'N',
        inv_typ: invoiceType(each),
        itms: details(each),
      })),
    })),
    b2cl: grouped(inTable('b2cl'), ({ placeOfSupply }) => placeOfSupply.code).map(([pos, invoices]) => ({
      pos,
      inv: invoices.map((each) => ({ ...invoiceHead(each), itms: details(each) })),
    })),
    b2cs: smallSupplies(inTable('b2cs')),
    exp: grouped(inTable('exp'), ({ supplyType }) => (supplyType === 'EXPWP' ? 'WPAY' : 'WOPAY')).map(
      ([exp_typ, invoices]) => ({
        exp_typ,
        inv: invoices.map((each) => ({ ...invoiceHead(each), itms: details(each).map(({ itm_det }) => itm_det) })),
      }),
    ),
    cdnr: ofRecipient(inTable('cdnr')).map(([ctin, notes]) => ({
      ctin,
      nt: notes.map((each) => ({
        ...noteHead(each),
        pos: each.placeOfSupply.code,
        rchrg: 'N',
        inv_typ: invoiceType(each),
        itms: details(each),
      })),
    })),
    cdnur: inTable('cdnur').map((each) => ({
      typ: each.supplyType === 'B2C' ? 'B2CL' : each.supplyType,
      ...noteHead(each),
      ...(each.supplyType === 'B2C' && { pos: each.placeOfSupply.code }),
      itms: details(each),
    })),
    at: advances(received),
    txpd: advances(adjusted),
  }
  const filled = Object.fromEntries(Object.entries(tables).filter(([, rows]) => rows.length > 0))
  const hsn = hsnSummary(month, documents)
  const doc_det = documentsIssued(series)
  return {
    gstin,
    fp: `${month.slice(5)}${month.slice(0, 4)}`,
    version: VERSION,
    hash: 'hash',
    ...(filled as Partial<typeof tables>),
    ...(hsn !== null && { hsn }),
    ...(doc_det.length > 0 && { doc_issue: { doc_det } }),
  }
}
export type Gstr1 = ReturnType<typeof gstr1Of>

const signOf = ({ kind }: TaxDocument): 1 | -1 => (kind === 'credit note' ? -1 : 1)

/**
 * Returns table 7: the totals by place of supply and rate. Debit notes increase the totals, credit notes reduce them.
 */
function smallSupplies(documents: readonly TaxDocument[]) {
  const items = documents.flatMap((document) =>
    itemsOf(document).map((item) => ({ document, item, sign: signOf(document) })),
  )
  return grouped(
    items,
    ({ document, item }) => `${document.placeOfSupply.code} ${String(item.rate).padStart(5, '0')}`,
  ).flatMap(([, same]) => {
    const { document, item } = same[0]!
    const isOther = isInterState(document)
    const sum = sumOf(same.map((each) => signed(each.item, each.sign)))
    if (isZero(sum)) return []
    return {
      sply_ty: isOther ? 'INTER' : 'INTRA',
      pos: document.placeOfSupply.code,
      typ: 'OE',
      rt: rupees(item.rate),
      txval: rupees(sum.taxablePaise),
      ...taxes(isOther, sum),
    }
  })
}

const signed = (part: Money, sign: 1 | -1): Money => sumOf([part], () => sign)
const isZero = ({ taxablePaise, cgstPaise, sgstPaise, igstPaise }: Money): boolean =>
  taxablePaise === 0 && cgstPaise === 0 && sgstPaise === 0 && igstPaise === 0

function advances(all: readonly Advance[]) {
  return grouped(all, ({ place, isInterState: isOther }) => `${place} ${isOther}`).flatMap(([, same]) => {
    const { place, isInterState: isOther } = same[0]!
    const itms = byRate(same)
      .filter((part) => !isZero(part))
      .map((part) => ({ rt: rupees(part.rate), ad_amt: rupees(part.taxablePaise), ...taxes(isOther, part) }))
    return itms.length === 0 ? [] : { pos: place, sply_ty: isOther ? 'INTER' : 'INTRA', itms }
  })
}

/** Returns table 12. Exports are listed with the unregistered recipients, because their customers have no GST number. */
function hsnSummary(month: string, documents: readonly ReturnDocument[]) {
  const parts = documents
    .filter((each) => tableOf(each) !== null)
    .flatMap(({ document }) =>
      document.items.map((item) => ({
        list: document.customer.gstin === null ? 'hsn_b2c' : 'hsn_b2b',
        sac: item.sac,
        rate: rateOf(document, item.rate),
        ...signed(item, signOf(document)),
      })),
    )
  const rows = (of: typeof parts) =>
    grouped(of, ({ sac, rate }) => `${sac} ${String(rate).padStart(5, '0')}`)
      .map(([, same]) => ({ sac: same[0]!.sac, rate: same[0]!.rate, ...sumOf(same) }))
      .filter((part) => !isZero(part))
      .map((part, index) => ({
        num: index + 1,
        hsn_sc: part.sac,
        uqc: 'NA',
        qty: 0,
        rt: rupees(part.rate),
        txval: rupees(part.taxablePaise),
        iamt: rupees(part.igstPaise),
        camt: rupees(part.cgstPaise),
        samt: rupees(part.sgstPaise),
        csamt: 0,
      }))
  const lists =
    month < HSN_SPLIT_FROM
      ? { data: rows(parts) }
      : Object.fromEntries(grouped(parts, ({ list }) => list).map(([list, of]) => [list, rows(of)]))
  const filled = Object.entries(lists).filter(([, of]) => of.length > 0)
  return filled.length === 0 ? null : Object.fromEntries(filled)
}

function documentsIssued(series: readonly Series[]) {
  const listed = series.flatMap((each) => {
    const code = DOCUMENT_CODES[each.kind]
    return code === null ? [] : { ...each, code }
  })
  return [...Map.groupBy(listed, ({ code }) => code).entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([doc_num, ranges]) => ({
      doc_num,
      docs: ranges.map(({ from, to, count, cancelled }, index) => ({
        num: index + 1,
        from,
        to,
        totnum: count,
        cancel: cancelled,
        net_issue: count - cancelled,
      })),
    }))
}

export interface TableTotals extends Money {
  readonly table: Gstr1Table
  readonly rows: number
}

interface Amounts {
  readonly txval?: number
  readonly ad_amt?: number
  readonly iamt?: number
  readonly camt?: number
  readonly samt?: number
  /** Sign of the amounts: -1 for a credit note. */
  readonly sign?: number
}

const paise = (amount: number | undefined): number => Math.round((amount ?? 0) * 100)

/** Returns the totals of the tables in the file, in paise. Credit notes are negative. */
export function totalsOf(file: Gstr1): TableTotals[] {
  const ofItems = (documents: readonly { readonly itms: readonly { readonly itm_det: Amounts }[] }[]) =>
    documents.flatMap(({ itms }) => itms.map(({ itm_det }) => itm_det))
  const ofNotes = (notes: readonly (Parameters<typeof ofItems>[0][number] & { readonly ntty: string })[]) =>
    notes.flatMap((note) => ofItems([note]).map((amounts) => ({ ...amounts, sign: note.ntty === 'D' ? 1 : -1 })))
  const rows: Readonly<Record<Gstr1Table, readonly [rows: number, amounts: readonly Amounts[]]>> = {
    b2b: counted(
      file.b2b?.flatMap(({ inv }) => inv),
      ofItems,
    ),
    b2cl: counted(
      file.b2cl?.flatMap(({ inv }) => inv),
      ofItems,
    ),
    exp: counted(
      file.exp?.flatMap(({ inv }) => inv),
      (all) => all.flatMap(({ itms }) => itms),
    ),
    b2cs: counted(file.b2cs, (all) => all),
    cdnr: counted(
      file.cdnr?.flatMap(({ nt }) => nt),
      ofNotes,
    ),
    cdnur: counted(file.cdnur, ofNotes),
    at: counted(
      file.at?.flatMap(({ itms }) => itms),
      (all) => all,
    ),
    txpd: counted(
      file.txpd?.flatMap(({ itms }) => itms),
      (all) => all,
    ),
  }
  return (Object.entries(rows) as [Gstr1Table, (typeof rows)[Gstr1Table]][]).map(([table, [count, amounts]]) => {
    const parts = amounts.map(({ txval, ad_amt, iamt, camt, samt, sign = 1 }) => ({
      taxablePaise: sign * paise(txval ?? ad_amt),
      cgstPaise: sign * paise(camt),
      sgstPaise: sign * paise(samt),
      igstPaise: sign * paise(iamt),
    }))
    return { table, rows: count, ...sumOf(parts) }
  })
}

const counted = <T>(
  rows: readonly T[] | undefined,
  amounts: (rows: readonly T[]) => readonly Amounts[],
): readonly [number, readonly Amounts[]] => [rows?.length ?? 0, amounts(rows ?? [])]
