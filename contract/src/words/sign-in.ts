/** An organisation's own rule for second factors. Without one the installation's default applies. */
export const SECOND_FACTOR_RULES = ['optional', 'required'] as const
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number]

/** Bounds of an organisation's session idle timeout: five minutes to a week. */
export const IDLE_MINUTES_MIN = 5
export const IDLE_MINUTES_MAX = 7 * 24 * 60
