/** An organisation's own rule for second factors; without one the installation's holds. */
export const SECOND_FACTOR_RULES = ['optional', 'required'] as const
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number]

/** Minutes after which an organisation may have an unused session end: five minutes to a week. */
export const IDLE_MINUTES_MIN = 5
export const IDLE_MINUTES_MAX = 7 * 24 * 60
