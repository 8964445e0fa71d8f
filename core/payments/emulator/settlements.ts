import { z } from 'zod'
import type { Razorpay } from './account.ts'
import { paymentEntity, collection } from './entities.ts'
import { newId, randomCharacters } from './ids.ts'
import type { ReconLine } from './records.ts'
import { invalidField } from './refusal.ts'

/**
 * Settlements, and the report of their lines: `GET /v1/settlements/recon/combined`.
 * Path, parameters and fields: https://razorpay.com/docs/api/settlements/fetch-recon/ and
 * https://github.com/razorpay/razorpay-node/blob/master/documents/settlement.md. The default of 10 lines is documented
 * there. The largest `count` and the texts of refusals are not; the emulator refuses more than 100.
 * In the documented example of a transfer, `debit` 100296 is `amount` 100000 and `fee` 296, of which 46 are `tax`:
 * the fee includes the tax.
 */
const maxCount = 100

/** Working days from capture to settlement: https://razorpay.com/docs/api/settlements/ (T+2, domestic payments). */
const cycle = 2

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Offset of India's time zone, which has no summer time. */
const INDIA = 330 * MINUTE
/** Time of the day at which the emulator settles, in milliseconds after midnight in India: 11 am. */
const timeOfDay = 11 * 60 * MINUTE

export const indianDay = (instant: number): string => new Date(instant + INDIA).toISOString().slice(0, 10)

/** Returns the settlement time, `workingDays` working days after an instant. Bank holidays are ignored. */
function settlementAfter(instant: number, workingDays: number): number {
  let midnight = Math.floor((instant + INDIA) / DAY) * DAY
  for (let daysLeft = workingDays; daysLeft > 0;) {
    midnight += DAY
    const weekday = new Date(midnight).getUTCDay()
    if (weekday !== 0 && weekday !== 6) daysLeft -= 1
  }
  return midnight + timeOfDay - INDIA
}

type Pending = Partial<ReconLine> & Pick<ReconLine, 'entity_id' | 'type' | 'credit' | 'debit'>

/**
 * Settles everything that is due. A settlement pays the balance, so a day whose refunds exceed its payments is settled
 * with a later one. Refunds and adjustments change the next settlement.
 */
export function settleDue(razorpay: Razorpay): void {
  const { records, clock } = razorpay
  const { payments, refunds, adjustments } = records.unsettled()
  const pending: { readonly due: number; readonly line: Pending }[] = []
  for (const payment of payments) {
    const { fee, tax, order_id } = paymentEntity(payment)
    const line = {
      entity_id: payment.id,
      type: 'payment',
      debit: 0,
      credit: payment.amount - fee!,
      amount: payment.amount,
    }
    const order = { order_id, order_receipt: records.order(order_id)?.receipt ?? null, method: payment.method }
    const due = settlementAfter(payment.captured_at!, cycle)
    pending.push({ due, line: lineOf({ ...line, fee: fee!, tax: tax!, ...order }, payment.captured_at!) })
  }
  for (const { id, amount, payment_id, created_at } of refunds) {
    const line = { entity_id: id, type: 'refund', debit: amount, credit: 0, amount, fee: 0, tax: 0, payment_id }
    pending.push({ due: settlementAfter(created_at, 1), line: lineOf(line, created_at) })
  }
  for (const { id, amount, description, created_at } of adjustments) {
    const sides = { debit: Math.max(0, -amount), credit: Math.max(0, amount), amount: Math.abs(amount) }
    const line = { entity_id: id, type: 'adjustment', ...sides, fee: 0, tax: 0, description, credit_type: undefined }
    pending.push({ due: settlementAfter(created_at, 1), line: lineOf(line, created_at) })
  }
  const due = pending.filter((each) => each.due <= clock.now())
  const instants = [...new Set(due.map((each) => each.due))].toSorted((a, b) => a - b)
  let open: Pending[] = []
  for (const instant of instants) {
    open.push(...due.filter((each) => each.due === instant).map(({ line }) => line))
    if (open.reduce((sum, { credit, debit }) => sum + credit - debit, 0) <= 0) continue
    const settled_at = Math.floor(instant / 1000)
    const settlement_id = newId('setl')
    const settlement_utr = `${settled_at}${randomCharacters(6).toLowerCase()}`
    for (const line of open) {
      // The documented example of an adjustment has no UTR.
      const utr = line.type === 'adjustment' ? null : settlement_utr
      records.putReconLine(
        { ...(line as ReconLine), settled_at, settlement_id, settlement_utr: utr },
        indianDay(instant),
      )
    }
    open = []
  }
}

function lineOf(line: Partial<ReconLine>, created_at: number): Pending {
  return {
    debit: 0,
    credit: 0,
    amount: 0,
    fee: 0,
    tax: 0,
    currency: 'INR',
    on_hold: false,
    settled: true,
    created_at: Math.floor(created_at / 1000),
    posted_at: null,
    credit_type: 'default',
    description: null,
    notes: '{}',
    payment_id: null,
    order_id: null,
    order_receipt: null,
    method: null,
    card_network: null,
    card_issuer: null,
    card_type: null,
    dispute_id: null,
    ...line,
  } as Pending
}

const digits = (field: string, minDigits: number, maxDigits: number) =>
  z
    .string({ error: `The ${field} field is required.` })
    .regex(/^\d{1,4}$/, `The ${field} must be an integer.`)
    .transform(Number)
    .refine(
      (number) => number >= minDigits && number <= maxDigits,
      `The ${field} must be between ${minDigits} and ${maxDigits}.`,
    )

const reconShape = z.object({
  year: digits('year', 2000, 9999),
  month: digits('month', 1, 12),
  day: digits('day', 1, 31).optional(),
  count: z
    .string()
    .regex(/^\d{1,4}$/, 'The count must be an integer.')
    .transform(Number)
    .refine((count) => count >= 1, 'The count must be at least 1.')
    .refine((count) => count <= maxCount, `The count may not be greater than ${maxCount}.`)
    .default(10),
  skip: z
    .string()
    .regex(/^\d{1,6}$/, 'The skip must be an integer.')
    .transform(Number)
    .default(0),
})

export function reconReport(razorpay: Razorpay, query: Readonly<Record<string, string>>): object {
  const found = reconShape.safeParse(query)
  if (!found.success) {
    const { path, message } = found.error.issues[0]!
    throw invalidField(String(path[0]), message)
  }
  settleDue(razorpay)
  const { year, month, day, count, skip } = found.data
  const days = [year, ...[month, day].filter((part) => part !== undefined).map((part) => String(part).padStart(2, '0'))]
  return collection(razorpay.records.reconLines(days.join('-'), count, skip))
}
