export const BUDGET_PERCENTS = [50, 80, 90, 100] as const
/** Quota alerts start at 80 %. */
export const QUOTA_PERCENTS = [80, 90, 100] as const

export const spendingCapSentence = (training: string): string =>
  `The budget of ${training} is used up: machines stay off until the budget is raised.`
export const monthlySpendingCapSentence = (organisation: string): string =>
  `This month’s budget of ${organisation} is used up: machines stay off until the budget is raised or the month ends.`
