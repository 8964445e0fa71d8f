/** Steps of the policy for overdue invoices, after the reminders. */
export const OVERDUE_STAGES = ['warn', 'hold', 'stop'] as const
export type OverdueStage = (typeof OVERDUE_STAGES)[number]

export const PREPAID_DAYS_MAX = 3_650

/** Local time in the organisation's zone at which machines of an overdue account are stopped. */
export const NIGHT_STOP = '22:00'

export const prepaidUsedUpSentence = (subject: string): string =>
  `The prepaid credit of ${subject} is used up: machines stay off until an admin buys more.`

export const creditLimitSentence = (organisation: string): string =>
  `${organisation} has reached its credit limit: no machines can be ordered or started until an invoice is paid or the limit is raised.`

export const orderHoldSentence = (organisation: string, invoice: string, dueOn: string): string =>
  `New orders of ${organisation} are on hold, because invoice ${invoice} was due on ${dueOn}. Pay it to order again.`

export const overdueStopSentence = (organisation: string): string =>
  `Machines of ${organisation} stay off until its overdue invoices are paid.`

/** For users who are not admins: they do not learn that the organisation owes money. */
export const ordersRefusedSentence = (organisation: string): string =>
  `${organisation} cannot order machines at the moment. Its admins find the reason on the page Prepaid Credit.`

/** For users who are not admins: they do not learn that the organisation owes money. */
export const startsRefusedSentence = (organisation: string): string =>
  `Machines of ${organisation} cannot start at the moment. Its admins find the reason on the page Prepaid Credit.`
