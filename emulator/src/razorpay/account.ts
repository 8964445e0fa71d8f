import type { Clock } from '#src/clock/clock.ts'
import type { Faults } from '#src/faults/faults.ts'
import type { Book } from '#src/record/book.ts'
import type { Settings } from '#src/record/settings.ts'
import { Records, tables } from '#src/razorpay/records.ts'
import { Webhooks } from '#src/razorpay/webhooks.ts'

/** The setting that banks take their time over refunds. */
export const REFUNDS_WAIT = 'razorpay.refunds.wait'

/** Razorpay as it stands in the record. */
export interface Razorpay {
  readonly book: Book
  readonly settings: Settings
  readonly clock: Clock
  readonly faults: Faults
  readonly records: Records
  readonly webhooks: Webhooks
  /** Factor on how long a bank takes to answer. */
  readonly latency: number
  /** Banks take their time over refunds: they stay pending until they are told otherwise. */
  refundsWait(): boolean
}

export function openRazorpay(given: {
  readonly book: Book
  readonly settings: Settings
  readonly clock: Clock
  readonly faults: Faults
  readonly latency: number
}): Razorpay {
  given.book.prepare(tables)
  const refundsWait = () => given.settings.read(REFUNDS_WAIT) === 'yes'
  return { ...given, records: new Records(given.book), webhooks: new Webhooks(given), refundsWait }
}
