import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ALERT_PERCENTS } from '../words/budget.ts'
import { ALERTS } from '../words/problems.ts'
import { instant, message, name, sum } from './shapes.ts'

const roles = ['admin', 'superadmin'] as const

/** An organisation's whole; a superadmin says which. */
const ofOrganisation = z.strictObject({ organization: name.optional() })

/** A training's, or with no training named the organisation's of each month. */
const ofBudget = ofOrganisation.extend({ trainingName: name.optional() })

const day = z.iso.date('must be a date such as 2026-01-31')

const amount = z.object({
  amountPaise: z.int(),
  /** At 100 % machines are told to stop, and orders and starts are refused. */
  leash: z.boolean(),
  /** The leash holds now. */
  usedUp: z.boolean(),
  /** A training's last day, up to which it is to suffice; null: none is said, or it is the organisation's. */
  lastDay: day.nullable(),
  setBy: z.string(),
  setAt: instant,
})

const spending = z.object({ spentPaise: z.int(), budget: amount.nullable() })
export type Spending = z.output<typeof spending>

const alert = z.object({
  _id: z.uuid(),
  /** null: the organisation's. */
  trainingName: z.string().nullable(),
  kind: z.enum(['budget', 'quota']),
  percent: z.literal(ALERT_PERCENTS),
  /** Paise of a budget, minutes of a quota. */
  used: z.int(),
  total: z.int(),
  at: instant,
})
export type BudgetAlert = z.output<typeof alert>

export const budget = {
  list: defineCall({
    method: 'GET',
    path: '/budgets',
    roles,
    summary:
      "An organisation's budget of this month and those of its trainings, with what each has spent: a training over its whole life, the organisation since the month began in its zone.",
    query: ofOrganisation,
    reply: z.object({
      organization: z.string(),
      timeZone: z.string(),
      /** YYYY-MM. */
      month: z.string(),
      whole: spending,
      trainings: z.array(spending.extend({ trainingName: z.string() })),
    }),
  }),
  set: defineCall({
    method: 'POST',
    path: '/budgets',
    roles,
    summary: 'Sets a budget, or changes it. Alerts of an amount that was reached before come once.',
    body: ofBudget
      .extend({ amount: sum(ALERTS.amountRequired), leash: z.boolean(), lastDay: day.nullable() })
      .refine(({ trainingName, lastDay }) => trainingName !== undefined || lastDay === null, {
        error: "lastDay is a training's: an organisation's budget is of each month",
      }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/budgets',
    roles,
    summary: 'Removes a budget; a leash that held lets go.',
    body: ofBudget,
    reply: message,
  }),
  forecast: defineCall({
    method: 'GET',
    path: '/budgets/forecast',
    roles,
    summary:
      'What the coming four weeks are expected to cost, from what runs, is scheduled and was usual, and when the budget is used up; with how far off such forecasts were. Not shown where it was no better than the week before.',
    query: ofBudget,
    reply: z.object({
      asOf: instant,
      timeZone: z.string(),
      /** Past weeks that were forecast anew, and the median parts that forecast and last week were off; null: too few. */
      backtest: z.object({ weeks: z.int(), error: z.number(), naiveError: z.number() }).nullable(),
      /** null where it is not worth showing. */
      shown: z
        .object({
          days: z.array(z.object({ date: z.string(), expectedPaise: z.int() })),
          /** null: not within these days, or there is no budget. */
          runsOutAt: instant.nullable(),
          /** Paise over the budget at its last day, or the month's; below zero: left. null: that day is not known, or further away. */
          over: z.object({ paise: z.int(), lastDay: z.string() }).nullable(),
        })
        .nullable(),
    }),
  }),
  alerts: defineCall({
    method: 'GET',
    path: '/budgets/alerts',
    roles,
    summary: 'Alerts that this person has not put away, the newest first, at most 20.',
    query: ofOrganisation,
    reply: z.object({ alerts: z.array(alert) }),
  }),
  putAway: defineCall({
    method: 'POST',
    path: '/budgets/alerts/seen',
    roles,
    summary: 'Puts an alert away, for this person alone.',
    body: z.strictObject({ _id: z.uuid('must be an id') }),
    reply: message,
  }),
}
