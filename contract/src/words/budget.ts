/** Parts of a budget, in percent, at which people are told; a quota's begin later. */
export const BUDGET_PERCENTS = [50, 80, 90, 100] as const
export const QUOTA_PERCENTS = [80, 90, 100] as const
export const ALERT_PERCENTS = BUDGET_PERCENTS

/** Says why nothing may be ordered or started. */
export const leashSentence = (training: string): string =>
  `The budget of ${training} is used up: machines stay off until it is raised.`
export const monthLeashSentence = (organisation: string): string =>
  `This month’s budget of ${organisation} is used up: machines stay off until it is raised or the month is over.`
