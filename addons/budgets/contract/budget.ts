import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { BUDGET_PERCENTS } from './budget-words.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import {
  instant,
  positiveRupees,
  organisationName,
  trainingName,
  storedTimeZone,
} from '@trainyard/platform/contract/shapes.ts'

const roles = ['admin', 'superadmin'] as const

/** Organisation of the budget. Required for superadmins only. */
const organisationRef = z.strictObject({ organization: organisationName.optional() })

const budgetRef = organisationRef.extend({ trainingName: trainingName.optional() })

const amount = z.object({
  amountPaise: z.int().meta({ examples: [500_000] }),
  /** True if the budget is a spending cap: at 100 % machines are stopped, and orders and starts are refused. */
  spendingCap: z.boolean().meta({ examples: [false] }),
  usedUp: z.boolean().meta({ examples: [false] }),
  setBy: z.string().meta({ examples: ['admin@example.com'] }),
  setAt: instant,
})

const spending = z.object({ spentPaise: z.int().meta({ examples: [346_679] }), budget: amount.nullable() })
export type Spending = z.output<typeof spending>

const alert = z.object({
  _id: z.uuid(),
  trainingName: z.string().nullable(),
  kind: z.enum(['budget', 'quota']),
  percent: z.literal(BUDGET_PERCENTS),
  used: z.int(),
  total: z.int(),
  at: instant,
})
export type BudgetAlert = z.output<typeof alert>

export const budget = {
  list: call({
    route: 'GET /budgets',
    for: roles,
    public: { scope: 'budget:read', operation: 'listBudgets' },
    does: "Returns the budgets and the spending of an organisation and its trainings. The organisation's spending is that of the current month in its time zone, a training's spending is its total so far.",
    query: organisationRef,
    reply: z.object({
      organization: z.string().meta({ examples: ['Acme Learning'] }),
      timeZone: storedTimeZone,
      month: z.string().meta({ examples: ['2026-11'] }),
      whole: spending,
      trainings: z.array(spending.extend({ trainingName: z.string().meta({ examples: ['Python for beginners'] }) })),
    }),
  }),
  set: call({
    route: 'POST /budgets',
    for: roles,
    public: { scope: 'budget:write', operation: 'setBudget' },
    does: 'Sets or changes a budget. If the spending already exceeds alert thresholds, each alert is sent once.',
    audit: 'set a budget',
    body: budgetRef.extend({
      amount: positiveRupees(ALERTS.amountRequired).meta({ examples: [5_000] }),
      spendingCap: z.boolean().meta({ examples: [false] }),
    }),
  }),
  remove: call({
    route: 'DELETE /budgets',
    for: roles,
    public: { scope: 'budget:write', operation: 'deleteBudget' },
    does: 'Removes a budget. Its spending cap no longer applies.',
    audit: 'removed a budget',
    body: budgetRef,
  }),
  alerts: call({
    route: 'GET /budgets/alerts',
    for: roles,
    does: 'Lists the alerts that the caller has not dismissed, newest first, at most 20.',
    query: organisationRef,
    reply: z.object({ alerts: z.array(alert) }),
  }),
  putAway: call({
    route: 'POST /budgets/alerts/seen',
    for: roles,
    does: 'Dismisses an alert for the caller only.',
    audit: 'dismissed a budget alert',
    body: z.strictObject({ _id: z.uuid('must be an id') }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const budgetActions = {
  'budget.alert': 'sent a budget or quota alert',
  'budget.spendingCap': 'stopped machines because a budget was used up',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    budget: typeof budget
  }
}
