/** Without a rule the installation's default applies. */
export const SECOND_FACTOR_RULES = ['optional', 'required'] as const
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number]

export const SECOND_FACTOR_METHODS = ['totp', 'passkey', 'recovery'] as const
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number]

/** Session idle timeout: five minutes to a week. */
export const IDLE_MINUTES_MIN = 5
export const IDLE_MINUTES_MAX = 7 * 24 * 60

/**
 * Minutes during which a confirmed identity is valid. A sign-in confirms it, except a sign-in with a single factor at
 * an organisation's provider; afterwards the second factor, or the password of a user without one.
 */
export const CONFIRMED_MINUTES = 5

export const SIGN_IN = {
  confirm: 'Please confirm that it is you.',
  secondFactorDue: 'Your access level needs a second factor. Please set one up in Account Security.',
} as const
