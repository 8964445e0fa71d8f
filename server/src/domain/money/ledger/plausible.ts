import { sql } from 'kysely'
import { addDays } from '@trainyard/contract/words/day.ts'
import type { EntryKind } from '@trainyard/contract/words/entry.ts'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { Problem } from '../../../core/errors.ts'
import type { Tx } from '../../../db/schema.ts'
import type { OrganisationInScope } from '../../people/organisation/scope.ts'
import { supplierToday } from '../meter/months.ts'
import { NOT_REVERSED } from './entries.ts'

/** Values that a user entered. Amounts are in paise. */
export interface EnteredValues {
  /** Date of an entry, YYYY-MM-DD. */
  readonly date?: string
  /** First day of a price, or last day of a pause, YYYY-MM-DD. */
  readonly plannedDay?: string
  /** First day of a tax status, YYYY-MM-DD. */
  readonly taxDay?: string
  /** Entry that is corrected, which has an earlier date. */
  readonly corrects?: { readonly kind: EntryKind; readonly reference: string }
  /** Payment with the tax deducted from it. */
  readonly payment?: number
  /** Payment that is an advance by purpose, and may exceed what is owed. */
  readonly advance?: number
  /** Amount of an invoice or a quote. */
  readonly charge?: number
  readonly tds?: {
    readonly amount: number
    readonly section: string
    /** Payment with the tax, and the invoice that it settles; undefined for a certificate. */
    readonly payment?: { readonly amount: number; readonly settles: string | null }
  }
  /** Amount with its maximum. `maxLabel` describes the maximum in messages. */
  readonly limit?: { readonly amount: number; readonly max: number; readonly maxLabel: string }
  /** Price per hour, and the price that it replaces. */
  readonly price?: { readonly amount: number; readonly before: number }
}

/** State of the ledger with which entered values are compared. Amounts are in paise. */
export interface LedgerState {
  readonly name: string
  /** The supplier's day. */
  readonly today: string
  /** Day on which the organisation was created. */
  readonly organisationCreatedOn: string
  readonly billed: number
  readonly deducted: number
  /** Negative if the organisation paid in advance. */
  readonly owed: number
  readonly largestInvoice: number
  /** Tax rate of the date in basis points; 0 for a customer abroad or in an SEZ. */
  readonly taxRate: number
  /** Date of the entry that is corrected. */
  readonly correctedOn: string | null
  /** Amount of the invoice that is settled. */
  readonly settledInvoiceAmount: number
}

const ENTRY_DAYS_AHEAD = 31
const PLANNED_DAYS_AHEAD = 366

/** Retention period of accounts in years: 72 months after the annual return (section 36 of the CGST Act). */
const YEARS_BACK = 6

/** An amount that exceeds the expected amount by this factor was probably entered with an additional zero. */
const TYPO_FACTOR = 10
const PAYMENT_FACTOR = 5
/** A payment that exceeds what is owed by less than this amount is plausible, regardless of the factor. */
const PAYMENT_EXCESS = 10_000_00
const CHARGE_MIN = 1_00_000_00
const FIRST_CHARGE_MIN = 1_00_00_000_00

/** TDS is rounded to whole rupees (section 288B of the Income-tax Act 1961). */
const TDS_ROUNDING = 100

/**
 * Highest shares of the taxable amount that are deducted from payments to residents, in per cent: contracts, and fees
 * for services. Sources: sections 194C and 194J of the Income-tax Act 1961, 393(1) of the Act of 2025.
 */
const TDS_SHARES: readonly (readonly [RegExp, number])[] = [
  [/^194C/i, 2],
  [/^(194J|393 ?\(1\))/i, 10],
]
/** Share for a payee without a PAN (section 206AA), which applies to other sections as well. */
const TDS_SHARE_MAX = 20

const inRupees = (paise: number): string => formatRupees(paise / 100)
const inWords = (day: string): string => day.split('-').toReversed().join('/')

type Rule = (entered: EnteredValues, ledger: LedgerState) => string | false

/** Each rule returns its doubt as a sentence. */
const RULES: readonly Rule[] = [
  ({ date }, { today }) =>
    date !== undefined &&
    date > addDays(today, ENTRY_DAYS_AHEAD) &&
    `The date ${inWords(date)} is more than a month ahead.`,
  ({ plannedDay }, { today }) =>
    plannedDay !== undefined &&
    plannedDay > addDays(today, PLANNED_DAYS_AHEAD) &&
    `The date ${inWords(plannedDay)} is more than a year ahead.`,
  ({ taxDay }, { today }) => taxDay !== undefined && taxDayDoubt(taxDay, today),
  ({ date }, { name, organisationCreatedOn }) =>
    date !== undefined &&
    date < `${Number(organisationCreatedOn.slice(0, 4)) - YEARS_BACK}${organisationCreatedOn.slice(4)}` &&
    `The date ${inWords(date)} is more than ${YEARS_BACK} years before ${name} was created.`,
  ({ date, corrects }, { correctedOn }) =>
    date !== undefined &&
    corrects !== undefined &&
    correctedOn !== null &&
    date < correctedOn &&
    `The date ${inWords(date)} is before that of ${corrects.reference}, ${inWords(correctedOn)}.`,
  tdsDoubt,
  ({ payment }, { name, owed }) =>
    payment !== undefined &&
    owed > 0 &&
    payment >= owed * PAYMENT_FACTOR &&
    payment - owed >= PAYMENT_EXCESS &&
    `${inRupees(payment)} is at least ${PAYMENT_FACTOR} times the ${inRupees(owed)} that ${name} owes.`,
  ({ payment, advance, charge }, { name, owed, largestInvoice }) => {
    const amount = charge ?? advance ?? (owed > 0 ? undefined : payment)
    if (amount === undefined) return false
    if (largestInvoice === 0) {
      return amount >= FIRST_CHARGE_MIN && `${inRupees(amount)} is unusually large: ${name} has no invoice yet.`
    }
    return (
      amount >= Math.max(largestInvoice * TYPO_FACTOR, CHARGE_MIN) &&
      `${inRupees(amount)} is at least ${TYPO_FACTOR} times the largest invoice of ${name}, ${inRupees(largestInvoice)}.`
    )
  },
  ({ limit }) =>
    limit !== undefined &&
    limit.amount > limit.max &&
    `${inRupees(limit.amount)} is more than ${limit.maxLabel}, ${inRupees(limit.max)}.`,
  ({ price }) =>
    price !== undefined &&
    (price.amount >= price.before * TYPO_FACTOR || price.amount * TYPO_FACTOR <= price.before) &&
    price.before > 0 &&
    `${inRupees(price.amount)} per hour differs from the current price of ${inRupees(price.before)} by a factor of ${TYPO_FACTOR} or more.`,
]

function taxDayDoubt(day: string, today: string): string | false {
  if (day > addDays(today, ENTRY_DAYS_AHEAD)) return `The first day ${inWords(day)} is more than a month ahead.`
  return day.slice(0, 7) < today.slice(0, 7) && `The first day ${inWords(day)} is in a month that has ended.`
}

function tdsDoubt({ tds }: EnteredValues, ledger: LedgerState): string | false {
  if (tds === undefined) return false
  const { name, billed, deducted, owed, taxRate, settledInvoiceAmount } = ledger
  const { amount, section, payment } = tds
  if (deducted + amount > billed) {
    return deducted > 0
      ? `With this TDS of ${inRupees(amount)}, deductions are ${inRupees(deducted + amount)}. That is more than the ${inRupees(billed)} billed to ${name}.`
      : `TDS of ${inRupees(amount)} is more than the ${inRupees(billed)} billed to ${name}.`
  }
  if (payment !== undefined && amount > payment.amount - amount) {
    return `TDS of ${inRupees(amount)} is more than the payment of ${inRupees(payment.amount - amount)} from which it was deducted.`
  }
  const percent = TDS_SHARES.find(([sections]) => sections.test(section))?.[1] ?? TDS_SHARE_MAX
  const withTax = payment === undefined ? billed : Math.max(payment.amount, settledInvoiceAmount)
  const taxable = Math.ceil((withTax * 10_000) / (10_000 + taxRate))
  if (amount * 100 > taxable * percent + TDS_ROUNDING * 100) {
    return `TDS of ${inRupees(amount)} exceeds the maximum under section ${section}: ${percent} % of the taxable amount of ${inRupees(taxable)}.`
  }
  return (
    payment === undefined &&
    amount > Math.max(0, owed) &&
    `TDS of ${inRupees(amount)} is more than the ${inRupees(Math.max(0, owed))} that ${name} owes. The TDS may already be recorded with the payment.`
  )
}

/** Returns a sentence for each value that is probably wrong. */
export const doubtsAbout = (entered: EnteredValues, ledger: LedgerState): string[] =>
  RULES.map((rule) => rule(entered, ledger)).filter((doubt) => doubt !== false)

/**
 * Rejects implausible values that the caller has not confirmed. The confirmation is part of the request with the values,
 * and therefore applies to these values only.
 * @throws Problem unconfirmed, which names each value
 */
export async function requirePlausible(
  tx: Tx,
  organisation: Pick<OrganisationInScope, 'id' | 'name'>,
  entered: EnteredValues,
  confirmed: true | undefined,
): Promise<void> {
  if (confirmed === true) return
  rejectDoubts(doubtsAbout(entered, await ledgerStateOf(tx, organisation, entered)))
}

/**
 * Rejects implausible first days of new tax rates that the caller has not confirmed. A day of an ended month is
 * implausible if it changes the rate of a day since which documents were issued.
 * @param before first days of the stored rates
 * @throws Problem unconfirmed, which names each day
 */
export async function requirePlausibleRates(
  tx: Tx,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  confirmed: true | undefined,
): Promise<void> {
  const added = after.filter((day) => !before.includes(day))
  if (confirmed === true || added.length === 0) return
  const today = await supplierToday(tx)
  const { rows } = await sql<{ newest: string | null }>`
    select to_char(max(issued_on), 'YYYY-MM-DD') as newest from tax_document`.execute(tx)
  const { newest } = rows[0]!
  const changesIssued = (day: string) => newest !== null && day <= newest && before.some((earlier) => earlier < day)
  const doubts = added.filter((day) => day > today || changesIssued(day)).map((day) => taxDayDoubt(day, today))
  rejectDoubts(doubts.filter((doubt) => doubt !== false))
}

function rejectDoubts(doubts: readonly string[]): void {
  if (doubts.length > 0) throw new Problem('unconfirmed', `${doubts.join(' ')} Check it, or confirm that it is right.`)
}

async function ledgerStateOf(
  tx: Tx,
  { id, name }: Pick<OrganisationInScope, 'id' | 'name'>,
  entered: EnteredValues,
): Promise<LedgerState> {
  const today = await supplierToday(tx)
  const { rows } = await sql<Omit<LedgerState, 'name' | 'today'>>`
    select to_char(o.created_at, 'YYYY-MM-DD') as "organisationCreatedOn", sums.*,
      coalesce((select invoice_paise - payment_paise from ledger_balance where organisation_id = o.id), 0)::bigint as owed,
      case when status.place = 'india' then coalesce((select basis_points from tax_rate
        where valid_from <= ${entered.date ?? today}::date order by valid_from desc limit 1), 0) else 0 end as "taxRate",
      (select to_char(date, 'YYYY-MM-DD') from ledger_entry where organisation_id = o.id
        and kind = ${entered.corrects?.kind ?? null} and reference = ${entered.corrects?.reference ?? null}) as "correctedOn",
      coalesce((select amount_paise from ledger_entry where organisation_id = o.id and kind = 'invoice'
        and reference = ${entered.tds?.payment?.settles ?? null}), 0)::bigint as "settledInvoiceAmount"
    from organisation o
      cross join lateral tax_status_on(o.id, ${entered.date ?? today}::date) as status
      cross join lateral (
        select coalesce(sum(amount_paise) filter (where kind = 'invoice'), 0)::bigint as billed,
          coalesce(sum(amount_paise) filter (where kind = 'tds'), 0)::bigint as deducted,
          coalesce(max(amount_paise) filter (where kind = 'invoice'), 0)::bigint as "largestInvoice"
        from ledger_entry e where organisation_id = o.id and kind in ('invoice', 'tds') and ${NOT_REVERSED}) as sums
    where o.id = ${id}`.execute(tx)
  return { name, today, ...rows[0]! }
}
