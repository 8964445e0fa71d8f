/** Minutes within which a challenge is answered. */
export const CHALLENGE_MINUTES = 5
/** Answers that one challenge hears. */
export const ANSWERS_PER_CHALLENGE = 5
/** Minutes for which a proof of who one is lasts: a sign-in, a password entered again, a passkey. */
export const CONFIRMED_MINUTES = 5
/** Days in which who must have a second factor sets one up. */
export const GRACE_DAYS = 7
export const RECOVERY_CODES = 10
export const PASSKEYS_PER_PERSON = 20
/** Hours within which another superadmin confirms a reset. */
export const RESET_HOURS = 24

/** The ways in which a second step can be taken. */
export const SECOND_WAYS = ['totp', 'passkey', 'recovery'] as const
export type SecondWay = (typeof SECOND_WAYS)[number]

export const SECOND_FACTOR = {
  asked: 'Please confirm with your second factor.',
  runOut: 'This sign-in has run out. Please log in again.',
  wrongCode: 'The code is wrong or was used before.',
  wrongPasskey: 'The passkey was not accepted.',
  tooManyWrong: 'Too many wrong codes. Please log in again.',
  tooManyCodes: 'Too many wrong codes today. Use a passkey or a recovery code.',
  due: 'Your access level needs a second factor. Please set one up in Account Security.',
  confirm: 'Please confirm that it is you.',
  wrongPassword: 'The password is wrong.',
  noPasskeys: 'Passkeys need a portal that is reached by a name.',
  needed: 'Your access level needs a second factor. Add another one before you remove this one.',
} as const
