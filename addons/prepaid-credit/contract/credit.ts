import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { isOverdueOrder } from '@trainyard/invoices/contract/payment-terms.ts'
import { PREPAID_DAYS_MAX, OVERDUE_STAGES } from './credit-words.ts'
import { AMOUNT_RUPEES_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import {
  day,
  dayOrElse,
  visibleText,
  instant,
  name,
  nameOrEmpty,
  positiveRupees,
  rupees,
  storedDay,
} from '@trainyard/platform/contract/shapes.ts'
import { overdueDays } from '@trainyard/invoices/contract/supplier.ts'

const readers = ['admin', 'superadmin'] as const
const roles = ['superadmin'] as const

const organization = nameOrEmpty.min(1, ALERTS.organisationRequired)

/** In rupees before tax. If 0, an e-mail is sent only when the credit is used up. */
const low = rupees
  .refine((value) => value >= 0, 'must not be negative')
  .refine((value) => value <= AMOUNT_RUPEES_MAX, 'must be at most ₹1,00,00,00,000')

const policy = { warnDays: overdueDays, holdDays: overdueDays, stopDays: overdueDays } as const

const purchase = z.object({
  payment: z.string(),
  boughtAt: instant,
  /** With tax. */
  grossPaise: z.int(),
  /** Before tax, less returned money. */
  creditPaise: z.int(),
  expiresAt: instant.nullable(),
  /** Unused part at the expiry; null before the expiry. */
  expiredPaise: z.int().nullable(),
})

const prepaidAccount = z.object({
  /** Null for the credit that all trainings without separate credit share. */
  trainingName: z.string().nullable(),
  hardLimit: z.boolean(),
  lowPaise: z.int(),
  validDays: z.int().nullable(),
  startedAt: instant,
  /** Amounts are before tax. `leftPaise` is negative if more was used than bought. */
  boughtPaise: z.int(),
  usedPaise: z.int(),
  expiredPaise: z.int(),
  leftPaise: z.int(),
  /** Cost per hour of the machines that run now. */
  paisePerHour: z.int(),
  /**
   * Instant at which the credit is used up if the same machines continue to run; null if no machine runs or no credit
   * is left.
   */
  runsOutAt: instant.nullable(),
  isLow: z.boolean(),
  isUsedUp: z.boolean(),
  purchases: z.array(purchase),
})
export type PrepaidAccount = z.output<typeof prepaidAccount>

export const credit = {
  read: call({
    route: 'GET /admin/credit',
    for: readers,
    does: "Returns an organisation's prepaid credit with its forecast, its credit limit and the dates of the policy for overdue invoices.",
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      organization: z.string(),
      timeZone: z.string(),
      now: instant,
      accounts: z.array(prepaidAccount),
      trainings: z.array(z.string()),
      limit: z.object({
        enforced: z.boolean(),
        limitPaise: z.int(),
        /** Ledger balance; negative if paid ahead. */
        balancePaise: z.int(),
        /** Usage that is not invoiced yet, with tax. */
        unbilledPaise: z.int(),
        isReached: z.boolean(),
      }),
      overdue: z.object({
        ...policy,
        /** True if the organisation has a separate policy; false if the portal's policy applies. */
        isOwn: z.boolean(),
        pausedUntil: storedDay.nullable(),
        stage: z.enum(OVERDUE_STAGES).nullable(),
        /** The oldest open invoice and the days on which the steps begin; null without an open invoice. */
        invoice: z
          .object({
            number: z.string(),
            dueOn: storedDay,
            openPaise: z.int(),
            warnOn: storedDay.nullable(),
            holdOn: storedDay.nullable(),
            stopOn: storedDay.nullable(),
          })
          .nullable(),
      }),
    }),
  }),
  setAccount: call({
    route: 'POST /admin/credit/account',
    for: roles,
    does: 'Sets up prepaid credit of an organisation or of a training: whether machines stop when it is used up, when admins are notified, and how long bought credit is valid.',
    audit: 'changed prepaid credit',
    body: z.strictObject({
      organization,
      trainingName: name.optional(),
      hardLimit: z.boolean(),
      low,
      validDays: z
        .int('must be a whole number of days')
        .min(1, 'must be 1 to 3650')
        .max(PREPAID_DAYS_MAX, 'must be 1 to 3650')
        .nullable(),
    }),
  }),
  setAlert: call({
    route: 'POST /admin/credit/alert',
    for: readers,
    does: 'Sets the amount of prepaid credit below which admins are notified.',
    audit: 'changed when low prepaid credit is reported',
    body: z.strictObject({ organization: name.optional(), trainingName: name.optional(), low }),
  }),
  record: call({
    route: 'POST /admin/credit/purchases',
    for: roles,
    does: 'Records a payment that buys prepaid credit. What the organisation owes is settled first. 409 if the payment is already recorded.',
    audit: 'recorded a purchase of prepaid credit',
    body: z.strictObject({
      organization,
      trainingName: name.optional(),
      id: visibleText.min(1, ALERTS.paymentIdRequired),
      amount: positiveRupees(ALERTS.amountRequired),
      date: dayOrElse(ALERTS.dateRequired),
    }),
    once: true,
  }),
  setTerms: call({
    route: 'POST /admin/credit/terms',
    for: roles,
    does: 'Sets whether the credit limit of an organisation is enforced, and its own policy for overdue invoices instead of the portal’s.',
    audit: 'changed the credit terms of an organisation',
    body: z.strictObject({
      organization,
      limitEnforced: z.boolean(),
      /** If null, the portal's policy applies. */
      overdue: z
        .strictObject(policy)
        .refine(isOverdueOrder, { error: 'must have its steps in the order warn, hold, stop', path: ['stopDays'] })
        .nullable(),
      /** The policy does not apply until the end of this day. */
      pausedUntil: day.nullable(),
    }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const creditActions = {
  'credit.alert': 'sent an alert about prepaid credit',
  'credit.overdue': 'sent a notice about an overdue invoice',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    credit: typeof credit
  }
}
