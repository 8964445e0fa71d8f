/** Without a rule the installation's default applies. */
export const SECOND_FACTOR_RULES = ['optional', 'required'] as const
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number]

/** Session idle timeout: five minutes to a week. */
export const IDLE_MINUTES_MIN = 5
export const IDLE_MINUTES_MAX = 7 * 24 * 60
