import type { Insertable } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { payment } from '../contract/payment.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { hook } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PaymentRow, PaymentTable } from '../tables.gen.ts'

interface Ordered {
  readonly organisation: OrganisationId
  readonly body: BodyOf<typeof payment.order>
  readonly amount: Paise
  /** Transaction that stores the order: the owner locks what is paid. Null before it. */
  readonly lockIn: Tx | null
}

/** Purpose of an order that does not pay the balance of its organisation. */
interface Purpose {
  /** Unpaid order that all payers share; null: none yet. */
  readonly order: string | null
  /** Columns of the owner, stored with a new order. */
  readonly columns: Partial<Insertable<PaymentTable>>
}

const first = <Value>(one: Value | null, other: Value | null): Value | null => one ?? other

/**
 * Asks for the purpose of an order. Each purpose has one owner. Null: none. Answers throw a Problem if the order cannot
 * be paid.
 */
export const purpose = hook<Ordered, Purpose | null>('payments.purpose', null, first)

interface Captured {
  readonly payment: PaymentRow
  readonly amount: number
  /** Particular of the entry without a purpose. */
  readonly particular: string
}

interface CapturedFor {
  readonly particular: string
  /** Invoice that the payment settles. */
  readonly settles: string | null
  /**
   * Completes the purpose, once the payment has its entry. Returns what the audit log names, or null.
   * @param id number of the payment
   */
  complete(id: string): Promise<object | null>
}

/** Asks what captured money is for. The owner of the order's purpose answers; null: no purpose. */
export const capturedFor = hook<Captured, CapturedFor | null, Tx>('payments.captured', null, first)

/** Asks for a sentence that a payer reads with the confirmation of a payment. */
export const remark = hook<{ readonly organisation: OrganisationId; readonly payment: string }, string | null>(
  'payments.remark',
  null,
  first,
)
