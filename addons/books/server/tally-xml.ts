import { GST_STATES } from '@trainyard/organisations/contract/gst.ts'
import type { OtherEntry } from '@trainyard/accounting/server/hooks.ts'
import { rupees } from './entries.ts'
import type { BookedEntry } from './queries.ts'
import { type Posting, settlementVoucherType, voucherOf } from './tally.ts'

/**
 * XML that TallyPrime imports: masters of the ledgers, and one voucher per entry. The elements are the same as in
 * exports of TallyPrime and in public programs that write such XML. The envelope is described at
 * https://help.tallysolutions.com/developer-reference/integration-capabilities/case-study-1/. Debits are negative
 * amounts. A voucher with a known REMOTEID replaces the earlier voucher, so that a repeated import adds nothing.
 */
export const TALLY_XML_HEAD = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<ENVELOPE><HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER><BODY><IMPORTDATA>',
  '<REQUESTDESC><REPORTNAME>All Masters</REPORTNAME></REQUESTDESC><REQUESTDATA>',
].join('\n')

export const TALLY_XML_END = '\n</REQUESTDATA></IMPORTDATA></BODY></ENVELOPE>\n'

type Node = string | false | null | undefined

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const escaped = (text: string): string =>
  text
    // Characters that XML 1.0 does not allow.
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"']/g, (each) => ESCAPES[each]!)

const leaf = (name: string, value: string): string => `<${name}>${escaped(value)}</${name}>`
const list = (name: string, ...children: readonly Node[]): string =>
  `<${name}>${children.filter((each) => typeof each === 'string').join('')}</${name}>`
const message = (content: string): string => `\n<TALLYMESSAGE xmlns:UDF="TallyUDF">${content}</TALLYMESSAGE>`

interface Account {
  readonly parent: string
  readonly dutyHead?: string
}

/** Group in TallyPrime of each account of the portal, and its tax head. */
const ACCOUNTS: Readonly<Record<string, Account>> = {
  Sales: { parent: 'Sales Accounts' },
  'Output CGST': { parent: 'Duties & Taxes', dutyHead: 'CGST' },
  'Output SGST': { parent: 'Duties & Taxes', dutyHead: 'SGST/UTGST' },
  'Output UTGST': { parent: 'Duties & Taxes', dutyHead: 'SGST/UTGST' },
  'Output IGST': { parent: 'Duties & Taxes', dutyHead: 'IGST' },
  'Round Off': { parent: 'Indirect Expenses' },
  'Discount Allowed': { parent: 'Indirect Expenses' },
  'TDS Receivable': { parent: 'Loans & Advances (Asset)' },
  Bank: { parent: 'Bank Accounts' },
  'Payment Provider': { parent: 'Current Assets' },
  'Provider Fees': { parent: 'Indirect Expenses' },
  'Input GST on Provider Fees': { parent: 'Current Assets' },
  'Provider Adjustments': { parent: 'Indirect Expenses' },
  'Sales Reversals': { parent: 'Sales Accounts' },
  'Receipt Reversals': { parent: 'Current Assets' },
  'TDS Reversals': { parent: 'Loans & Advances (Asset)' },
  'Bad Debts Written Off': { parent: 'Indirect Expenses' },
}

export const accountMasters = (): string =>
  Object.entries(ACCOUNTS)
    .map(([name, { parent, dutyHead }]) =>
      message(
        `<LEDGER NAME="${escaped(name)}" ACTION="Create">${leaf('NAME', name)}${leaf('PARENT', parent)}${
          dutyHead === undefined ? '' : leaf('TAXTYPE', 'GST') + leaf('GSTDUTYHEAD', dutyHead)
        }</LEDGER>`,
      ),
    )
    .join('')

type Customer = BookedEntry['customer']

function registrationType({ place, gst }: Pick<Customer, 'place' | 'gst'>): string {
  if (place === 'abroad') return 'Unregistered/Consumer'
  if (place === 'sez') return 'Regular - SEZ'
  return gst === null ? 'Unregistered/Consumer' : 'Regular'
}

const stateName = (code: string | null): string | null => (code === null ? null : (GST_STATES[code] ?? null))

export function customerMaster({ ledger, customer }: BookedEntry): string {
  const state = stateName(customer.state)
  const { legalName, gst } = customer
  return message(
    `<LEDGER NAME="${escaped(ledger)}" ACTION="Create">${leaf('NAME', ledger)}${leaf('PARENT', 'Sundry Debtors')}${[
      leaf('ISBILLWISEON', 'Yes'),
      leaf('MAILINGNAME', legalName),
      leaf('COUNTRYOFRESIDENCE', customer.country ?? 'India'),
      state !== null && leaf('LEDSTATENAME', state),
      leaf('GSTREGISTRATIONTYPE', registrationType(customer)),
      gst !== null && leaf('PARTYGSTIN', gst),
    ]
      .filter((each) => each !== false)
      .join('')}</LEDGER>`,
  )
}

/** Returns the voucher of an entry. The voucher of a cancelled document has no postings, like in TallyPrime. */
export function tallyVoucher(entry: BookedEntry): string {
  const { id, organisation, date, reference, particular, ledger, document, isCancelled } = entry
  const { type, postings } = voucherOf(entry)
  const isInvoice = document !== null && document.kind !== 'financial credit note' && entry.kind !== 'invoice reversal'
  const parts = isInvoice ? [postings[0]!, ...itemPostings(document, postings)] : postings
  const key = `${organisation}-${String(id).padStart(8, '0')}`
  const head = [
    leaf('DATE', date.replaceAll('-', '')),
    leaf('GUID', key),
    leaf('VOUCHERTYPENAME', type),
    leaf('VOUCHERNUMBER', reference),
    leaf('PARTYLEDGERNAME', ledger),
    leaf('NARRATION', particular),
    ...(isInvoice && !isCancelled ? gstHead(document) : []),
  ]
  if (isCancelled) return voucher(key, type, [...head, leaf('ISCANCELLED', 'Yes')])
  const lines = parts.filter(([, paise]) => paise !== 0).map((part, index) => line(entry, part, index === 0))
  return voucher(key, type, [...head, ...lines])
}

type Document = NonNullable<BookedEntry['document']>
interface GstItem {
  readonly sac: string
  readonly rate: number
  readonly isLocal: boolean
  readonly description: string
}
type Line = readonly [ledger: string, paise: number, gst?: GstItem]

/** Replaces the posting to Sales by one posting per item of the document, because rates and codes differ by item. */
function itemPostings({ items, supplyType }: Document, [, ...postings]: readonly Posting[]): Line[] {
  return postings.flatMap(([account, paise]): Line[] =>
    account === 'Sales'
      ? items.map((item) => [
          account,
          Math.sign(paise) * item.taxablePaise,
          {
            sac: item.sac,
            rate: supplyType.endsWith('WOP') ? 0 : item.rate,
            isLocal: item.cgstPaise > 0,
            description: item.description,
          },
        ])
      : [[account, paise]],
  )
}

function gstHead({ supplier, customer, placeOfSupply, supplyType }: Document): string[] {
  const place = supplyType.startsWith('EXP') ? 'abroad' : supplyType.startsWith('SEZ') ? 'sez' : 'india'
  return [
    leaf('CMPGSTIN', supplier.gstin),
    leaf('GSTREGISTRATIONTYPE', registrationType({ place, gst: customer.gstin })),
    ...(customer.gstin === null ? [] : [leaf('PARTYGSTIN', customer.gstin)]),
    leaf('PLACEOFSUPPLY', placeOfSupply.name),
    leaf('ISINVOICE', 'Yes'),
  ]
}

export function tallySettlementVoucher(entry: OtherEntry): string {
  const { id, date, reference, particular, postings } = entry
  const head = [
    leaf('DATE', date.replaceAll('-', '')),
    leaf('GUID', `settlement-${id}`),
    leaf('VOUCHERTYPENAME', settlementVoucherType(entry)),
    leaf('VOUCHERNUMBER', reference),
    leaf('NARRATION', particular),
  ]
  return voucher(`settlement-${id}`, settlementVoucherType(entry), [
    ...head,
    ...postings.map((each) => postingLine(each)),
  ])
}

const voucher = (key: string, type: string, parts: readonly string[]): string =>
  message(`<VOUCHER REMOTEID="${escaped(key)}" VCHTYPE="${type}" ACTION="Create">${parts.join('')}</VOUCHER>`)

const line = (entry: BookedEntry, [account, paise, gst]: Line, isParty: boolean): string =>
  postingLine(
    [account, paise],
    isParty && leaf('ISPARTYLEDGER', 'Yes'),
    gst !== undefined && gstDetails(gst),
    ...(isParty ? bills(entry, paise) : []),
  )

function postingLine([account, paise]: Posting, party: Node = null, ...more: readonly Node[]): string {
  return list(
    'ALLLEDGERENTRIES.LIST',
    leaf('LEDGERNAME', account),
    leaf('ISDEEMEDPOSITIVE', paise > 0 ? 'Yes' : 'No'),
    party,
    leaf('AMOUNT', rupees(0 - paise)),
    ...more,
  )
}

function gstDetails({ sac, rate, isLocal, description }: GstItem): string {
  const rates = isLocal
    ? [
        ['CGST', rate / 200],
        ['SGST/UTGST', rate / 200],
      ]
    : [['IGST', rate / 100]]
  return [
    leaf('GSTOVRDNTAXABILITY', rate === 0 ? 'Nil Rated' : 'Taxable'),
    leaf('GSTOVRDNTYPEOFSUPPLY', 'Services'),
    leaf('GSTHSNNAME', sac),
    leaf('GSTHSNDESCRIPTION', description),
    ...rates.map(([head, percent]) =>
      list(
        'RATEDETAILS.LIST',
        leaf('GSTRATEDUTYHEAD', String(head)),
        leaf('GSTRATEVALUATIONTYPE', 'Based on Value'),
        leaf('GSTRATE', String(percent)),
      ),
    ),
  ].join('')
}

/** Returns the bill allocations of a customer's line. An amount that settles no invoice is on account. */
function bills(
  { kind, source, reference, document, applied, settles, reverses }: BookedEntry,
  paise: number,
): string[] {
  const bill = (name: string | null, type: string, amount: number) =>
    list(
      'BILLALLOCATIONS.LIST',
      name !== null && leaf('NAME', name),
      leaf('BILLTYPE', type),
      leaf('AMOUNT', rupees(0 - amount)),
    )
  if (kind === 'invoice') return [bill(reference, 'New Ref', paise)]
  if (source === 'issued') return [bill(document?.of?.number ?? null, 'Agst Ref', paise)]
  if (kind === 'invoice reversal') return [bill(reverses, 'Agst Ref', paise)]
  if (kind === 'write-off') return [bill(settles, 'Agst Ref', paise)]
  if (kind !== 'payment' && kind !== 'tds') return [bill(null, 'On Account', paise)]
  const rest = paise + applied.reduce((sum, { amount }) => sum + amount, 0)
  return [
    ...applied.map(({ invoice, amount }) => bill(invoice, 'Agst Ref', 0 - amount)),
    ...(rest === 0 ? [] : [bill(null, 'On Account', rest)]),
  ]
}
