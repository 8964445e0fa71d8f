import { nearest } from '@trainyard/invoices/server/gst/test-oracle.ts'

/**
 * Independent model of the tax rules, the accounts, the allocation of receipts and prepaid credit for `storm.test.ts`.
 * It replays lists of entries in TypeScript, while the portal uses SQL. The model imports none of the code that it tests.
 */

export const CUSTOMER_KINDS = ['local', 'elsewhere', 'zone', 'abroad'] as const
export type CustomerKind = (typeof CUSTOMER_KINDS)[number]

export const MONEY = ['taxable', 'cgst', 'sgst', 'igst'] as const
export type Money = Readonly<Record<(typeof MONEY)[number], number>>
export const NO_MONEY: Money = { taxable: 0, cgst: 0, sgst: 0, igst: 0 }
export const plus = (a: Money, b: Money, sign = 1): Money => ({
  taxable: a.taxable + sign * b.taxable,
  cgst: a.cgst + sign * b.cgst,
  sgst: a.sgst + sign * b.sgst,
  igst: a.igst + sign * b.igst,
})
export const minus = (a: Money, b: Money): Money => plus(a, b, -1)
const sumOf = (items: readonly Money[]): Money => items.reduce<Money>((sum, item) => plus(sum, item), NO_MONEY)
const totalOf = ({ taxable, cgst, sgst, igst }: Money): number => taxable + cgst + sgst + igst

export interface ModelItem extends Money {
  readonly description: string
  readonly rate: number
}

export interface ModelDocument {
  readonly kind: 'invoice' | 'debit note' | 'credit note' | 'financial credit note'
  readonly date: string
  readonly dueOn: string | null
  /** Number of the invoice that a note corrects. */
  readonly of: string | null
  readonly items: readonly ModelItem[]
  readonly roundOff: number
  readonly total: number
  readonly isFree: boolean
}

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Returns the start of a day in India, in milliseconds since 1970. */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00+05:30`)

export const yearOf = (day: string): string => {
  const start = Number(day.slice(2, 4)) - (day.slice(5, 7) < '04' ? 1 : 0)
  return `${start}-${start + 1}`
}

/** Rates and undertakings of the supplier. */
export const calendar = {
  rates: [{ from: '2017-07-01', basisPoints: 1_800 }],
  undertakings: [] as { year: string; number: string }[],
}
export const rateOn = (day: string): number => calendar.rates.findLast(({ from }) => from <= day)!.basisPoints
export const isFreeOn = (kind: CustomerKind, day: string): boolean =>
  (kind === 'zone' || kind === 'abroad') && calendar.undertakings.some(({ year }) => year === yearOf(day))

export function taxed(kind: CustomerKind, isFree: boolean, taxable: number, rate: number): Money {
  if (isFree) return { ...NO_MONEY, taxable }
  if (kind !== 'local') return { ...NO_MONEY, taxable, igst: Number(nearest(BigInt(taxable) * BigInt(rate), 10_000n)) }
  const half = Number(nearest(BigInt(taxable) * BigInt(rate), 20_000n))
  return { taxable, cgst: half, sgst: half, igst: 0 }
}

export const withoutTax = (gross: number, rate: number): number =>
  Number(nearest(BigInt(gross) * 10_000n, 10_000n + BigInt(rate)))

/** Section 170 of the CGST Act. */
const toRupee = (paise: number): number => Number(nearest(BigInt(paise), 100n)) * 100 - paise

interface Run {
  /** Milliseconds since 1970. */
  readonly start: number
  readonly seconds: number
}

type EntryKind =
  | 'invoice'
  | 'credit note'
  | 'payment'
  | 'tds'
  | 'write-off'
  | 'refund'
  | 'invoice reversal'
  | 'payment reversal'
  | 'tds reversal'

export interface ModelEntry {
  readonly kind: EntryKind
  readonly reference: string
  readonly date: string
  readonly amount: number
  readonly dueOn?: string
  readonly settles?: string | null
  /** Reference of the reversed or refunded entry, of the payment of a deduction, or of the invoice of a credit note. */
  readonly of?: string
  readonly source: 'manual' | 'issued' | 'provider'
}

export interface OpenCharge {
  readonly invoice: string
  readonly dueOn: string
  readonly open: number
}

const OWED: ReadonlySet<EntryKind> = new Set(['invoice', 'refund', 'payment reversal', 'tds reversal'])
const change = ({ kind, amount }: ModelEntry): number => (OWED.has(kind) ? amount : -amount)

/** Account of a customer with its documents, usage and prepaid credit. */
export class CustomerModel {
  readonly kind: CustomerKind
  readonly paisePerHour: bigint
  readonly entries: ModelEntry[] = []
  readonly documents = new Map<string, ModelDocument>()
  readonly runs: Run[] = []
  /** Months whose usage is not invoiced, oldest first. */
  pending: string[] = []
  /** First instant whose usage counts against prepaid credit. */
  prepaidFrom: number | null = null
  readonly lots: { payment: string; gross: number; credit: number; at: number; expiresAt: number | null }[] = []

  constructor(kind: CustomerKind, paisePerHour: bigint) {
    this.kind = kind
    this.paisePerHour = paisePerHour
  }

  /** @param count first entries that count */
  owed(count = this.entries.length): number {
    return this.entries.slice(0, count).reduce((sum, entry) => sum + change(entry), 0)
  }

  isReversed({ kind, reference }: ModelEntry): boolean {
    return this.entries.some((each) => each.kind === `${kind} reversal` && each.of === reference)
  }

  refunded(payment: string): number {
    return this.entries
      .filter(({ kind, of }) => kind === 'refund' && of === payment)
      .reduce((sum, { amount }) => sum + amount, 0)
  }

  /** Returns the open charges, oldest first, and the invoices that each receipt settles. */
  allocation(): { readonly open: OpenCharge[]; readonly applied: Record<string, Record<string, number>> } {
    const reversals = this.entries.filter(({ kind }) => kind.endsWith(' reversal'))
    const reversed = new Set(reversals.map(({ kind, of }) => `${kind} ${of}`))
    const valid = this.entries.filter(({ kind, reference }) => !reversed.has(`${kind} reversal ${reference}`))
    const refunds = this.entries.filter(({ kind }) => kind === 'refund')
    const charges = valid
      .filter(({ kind }) => kind === 'invoice')
      .map(({ reference, date, dueOn, amount }) => {
        const credited = valid.filter(({ kind, of }) => kind === 'credit note' && of === reference)
        return { reference, date, dueOn: dueOn!, rest: credited.reduce((rest, each) => rest - each.amount, amount) }
      })
    const applied: Record<string, Record<string, number>> = {}
    const settle = (receipt: string, invoice: string, amount: number) => {
      const parts = (applied[receipt] ??= {})
      parts[invoice] = (parts[invoice] ?? 0) + amount
    }
    const excess = charges.reduce((sum, { rest }) => sum - Math.min(0, rest), 0)
    for (const charge of charges) charge.rest = Math.max(0, charge.rest)
    const pool: [string | null, number][] = [[null, excess]]
    for (const entry of valid) {
      if (entry.kind !== 'payment' && entry.kind !== 'tds' && entry.kind !== 'write-off') continue
      const receipt = `${entry.kind} ${entry.reference}`
      let left = entry.amount
      for (const refund of refunds) if (entry.kind === 'payment' && refund.of === entry.reference) left -= refund.amount
      const named = charges.find(({ reference }) => reference === entry.settles)
      if (named !== undefined && Math.min(left, named.rest) > 0) {
        const part = Math.min(left, named.rest)
        named.rest -= part
        left -= part
        settle(receipt, named.reference, part)
      }
      pool.push([receipt, left])
    }
    const oldest = charges.toSorted((a, b) => (a.date === b.date ? 0 : a.date < b.date ? -1 : 1))
    for (const [receipt, amount] of pool) {
      let left = amount
      for (const charge of oldest) {
        const part = Math.min(left, charge.rest)
        if (part <= 0) continue
        charge.rest -= part
        left -= part
        if (receipt !== null) settle(receipt, charge.reference, part)
      }
    }
    const open = oldest.filter(({ rest }) => rest > 0)
    return { open: open.map(({ reference, dueOn, rest }) => ({ invoice: reference, dueOn, open: rest })), applied }
  }

  /** Returns the only charge that is open with exactly this amount, or null. */
  exactMatch(amount: number): string | null {
    const matches = this.allocation().open.filter(({ open }) => open === amount)
    return matches.length === 1 ? matches[0]!.invoice : null
  }

  /** Returns the money received before a day and not returned, minus everything invoiced. */
  private advanceBefore(day: string): number {
    const dateOf = (entry: ModelEntry): string | null => {
      if (entry.kind === 'payment' || entry.kind === 'tds') return entry.date
      const original = { refund: 'payment', 'payment reversal': 'payment', 'tds reversal': 'tds' }[entry.kind as string]
      const found = this.entries.find(({ kind, reference }) => kind === original && reference === entry.of)
      return found?.date ?? null
    }
    const counted = this.entries.filter((entry) => (dateOf(entry) ?? '') < day)
    return Math.max(0, 0 - counted.reduce((sum, entry) => sum + change(entry), 0))
  }

  /** Returns the bill of the machine until an instant, rounded half up to the paisa. */
  billUntil(at: number): number {
    const seconds = this.runs.reduce(
      (sum, run) => sum + Math.min(run.seconds, Math.max(0, Math.floor((at - run.start) / 1_000))),
      0,
    )
    return Number(nearest(BigInt(seconds) * this.paisePerHour, 3_600n))
  }

  /**
   * Returns the items of the pending months. By sections 13 and 14 of the CGST Act, usage before a change of the rate
   * that was paid before it is a separate item.
   */
  itemsOfUsage(day: string, monthAfter: (month: string) => string): Omit<ModelItem, 'description'>[] {
    const isFree = isFreeOn(this.kind, day)
    const inForce = calendar.rates.filter(({ from }) => from <= day)
    const [current, previous] = [inForce.at(-1)!, inForce.at(-2)]
    let paid = previous === undefined ? 0 : withoutTax(this.advanceBefore(current.from), previous.basisPoints)
    return this.pending.flatMap((month) => {
      const [begin, end] = [startOf(`${month}-01`), startOf(`${monthAfter(month)}-01`)]
      const used = this.billUntil(end) - this.billUntil(begin)
      const changed = Math.min(end, Math.max(begin, startOf(current.from)))
      const old = previous === undefined ? 0 : Math.min(paid, this.billUntil(changed) - this.billUntil(begin))
      paid -= old
      const parts = [
        [old, previous?.basisPoints ?? 0],
        [used - old, current.basisPoints],
      ] as const
      return parts
        .filter(([taxable]) => taxable > 0)
        .map(([taxable, rate]) => ({ rate, ...taxed(this.kind, isFree, taxable, rate) }))
    })
  }

  /** Returns a document whose total is rounded to the rupee. */
  documentOf(
    kind: 'invoice' | 'debit note',
    day: string,
    items: readonly ModelItem[],
    isFree: boolean,
    of: string | null = null,
  ): ModelDocument {
    const exact = totalOf(sumOf(items))
    const roundOff = toRupee(exact)
    return { kind, date: day, dueOn: addDays(day, 15), of, items, roundOff, total: exact + roundOff, isFree }
  }

  /** Returns an item of an invoice with the items of its notes of some kinds. */
  notedItem(invoice: string, description: string, kinds: readonly ModelDocument['kind'][]): Money {
    const notes = [...this.documents.values()].filter(({ kind, of }) => of === invoice && kinds.includes(kind))
    return sumOf(notes.flatMap(({ items }) => items).filter((item) => item.description === description))
  }

  /** Returns the taxable amount of an item that can still be credited. */
  leftOf(invoice: string, { taxable, description }: ModelItem): number {
    const debited = this.notedItem(invoice, description, ['debit note']).taxable
    return taxable + debited - this.notedItem(invoice, description, ['credit note', 'financial credit note']).taxable
  }

  /** Returns a debit note (section 34(3) of the CGST Act). The tax is that on the raised item minus the tax charged. */
  debitNote(number: string, day: string, parts: ReadonlyMap<string, number>): ModelDocument {
    const { items, isFree } = this.documents.get(number)!
    const raised = items
      .filter(({ description }) => parts.has(description))
      .map((item) => {
        const before = plus(item, this.notedItem(number, item.description, ['debit note']))
        const after = taxed(this.kind, isFree, before.taxable + parts.get(item.description)!, item.rate)
        return { description: item.description, rate: item.rate, ...minus(after, before) }
      })
    return this.documentOf('debit note', day, raised, isFree, number)
  }

  /**
   * Returns a credit note, or null if nothing is left to credit. After 30 November following the financial year of the
   * invoice, the note has no tax.
   */
  creditNote(number: string, day: string, parts: ReadonlyMap<string, number>): ModelDocument | null {
    const invoice = this.documents.get(number)!
    const { items, isFree } = invoice
    const notes = [...this.documents.values()].filter(({ of }) => of === number)
    const signed = (each: ModelDocument) => (each.kind === 'debit note' ? -each.total : each.total)
    const left = invoice.total - notes.reduce((sum, note) => sum + signed(note), 0)
    const isTaxed = day <= `${Number(`20${yearOf(invoice.date).slice(0, 2)}`) + 1}-11-30`
    const credited = items
      .filter(({ description }) => parts.has(description))
      .map((item): ModelItem => {
        const part = parts.get(item.description)!
        if (!isTaxed) return { ...NO_MONEY, description: item.description, rate: 0, taxable: part }
        const before = this.notedItem(number, item.description, ['credit note'])
        const after = taxed(this.kind, isFree, before.taxable + part, item.rate)
        return { description: item.description, rate: item.rate, ...minus(after, before) }
      })
    const exact = totalOf(sumOf(credited))
    const base = { date: day, dueOn: null, of: number, items: credited, isFree }
    if (!isTaxed) return exact > left ? null : { ...base, kind: 'financial credit note', roundOff: 0, total: exact }
    const isLast = items.every((item) => this.leftOf(number, item) === (parts.get(item.description) ?? 0))
    const roundOff = isLast ? left - exact : Math.min(0, left - exact)
    return exact + roundOff <= 0 ? null : { ...base, kind: 'credit note', roundOff, total: exact + roundOff }
  }

  /**
   * Returns the prepaid credit at an instant. Usage consumes the credit that expires first; a later purchase pays usage
   * that had no credit.
   */
  creditAt(now: number): { bought: number; used: number; expired: number; left: number } {
    const remainingCredit = ({ payment, gross, credit }: (typeof this.lots)[number]) => {
      const entry = this.entries.find(({ kind, reference }) => kind === 'payment' && reference === payment)!
      const refundedPaise = this.isReversed(entry) ? gross : Math.min(gross, this.refunded(payment))
      return credit - Number((BigInt(credit) * BigInt(refundedPaise)) / BigInt(gross))
    }
    const lots = this.lots.map((lot) => ({ ...lot, credit: remainingCredit(lot), rest: 0 }))
    const usedUntil = (at: number) => this.billUntil(at) - this.billUntil(this.prepaidFrom!)
    const moments = [...new Set(lots.flatMap(({ at, expiresAt }) => (expiresAt === null ? [at] : [at, expiresAt])))]
    const byExpiry = lots.toSorted((a, b) => (a.expiresAt ?? Infinity) - (b.expiresAt ?? Infinity))
    let [consumed, debt, expired] = [0, 0, 0]
    const consume = () => {
      for (const lot of byExpiry) {
        const part = Math.min(lot.rest, debt)
        lot.rest -= part
        debt -= part
      }
    }
    for (const moment of moments.filter((each) => each <= now).toSorted((a, b) => a - b)) {
      debt += usedUntil(moment) - consumed
      consumed = usedUntil(moment)
      consume()
      for (const lot of lots.filter(({ expiresAt }) => expiresAt === moment)) {
        expired += lot.rest
        lot.rest = 0
      }
      for (const lot of lots.filter(({ at }) => at === moment)) lot.rest = lot.credit
      consume()
    }
    const bought = lots.reduce((sum, { credit }) => sum + credit, 0)
    const used = usedUntil(now)
    return { bought, used, expired, left: bought - used - expired }
  }

  /** Returns the sums of all accounts except those of the customer; debits are positive. */
  accounts(): Map<string, number> {
    const sums = new Map<string, number>()
    const post = (account: string, paise: number) => sums.set(account, (sums.get(account) ?? 0) + paise)
    for (const { kind, source, reference, amount } of this.entries) {
      const money = source === 'provider' ? 'Payment Provider' : 'Bank'
      const document = this.documents.get(reference)
      if (document !== undefined) this.postDocument(document, post)
      else if (kind === 'invoice') post('Sales', -amount)
      else if (kind === 'payment') post(money, amount)
      else if (kind === 'refund') post(money, -amount)
      else if (kind === 'tds') post('TDS Receivable', amount)
      else if (kind === 'write-off') post('Bad Debts Written Off', amount)
      else if (kind === 'invoice reversal') post('Sales Reversals', amount)
      else if (kind === 'payment reversal') post('Receipt Reversals', -amount)
      else post('TDS Reversals', -amount)
    }
    return sums
  }

  private postDocument(
    { kind, items, roundOff, total }: ModelDocument,
    post: (account: string, paise: number) => void,
  ): void {
    if (kind === 'financial credit note') return post('Discount Allowed', total)
    const sign = kind === 'credit note' ? 1 : -1
    const { taxable, cgst, sgst, igst } = sumOf(items)
    post('Sales', sign * taxable)
    post('Output CGST', sign * cgst)
    post('Output SGST', sign * sgst)
    post('Output IGST', sign * igst)
    post('Round Off', sign * roundOff)
  }

  /** Returns the GSTR-1 table and the amounts of each document of a month. Amounts of credit notes are negative. */
  gstReturnOf(month: string): [table: string, Money][] {
    return [...this.documents]
      .filter(([, { date, kind }]) => date.startsWith(month) && kind !== 'financial credit note')
      .map(([, document]) => [
        this.tableOf(document),
        plus(NO_MONEY, sumOf(document.items), document.kind === 'credit note' ? -1 : 1),
      ])
  }

  private tableOf({ kind, of, total }: ModelDocument): string {
    const isNote = kind !== 'invoice'
    if (this.kind === 'abroad') return isNote ? 'cdnur' : 'exp'
    if (this.kind !== 'elsewhere') return isNote ? 'cdnr' : 'b2b'
    // Notification 12/2024 of central tax: above one lakh rupees.
    const isLarge = (of === null ? total : this.documents.get(of)!.total) > 1_00_000_00
    if (!isLarge) return 'b2cs'
    return isNote ? 'cdnur' : 'b2cl'
  }
}
