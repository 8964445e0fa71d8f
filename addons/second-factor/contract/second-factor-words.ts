export const CHALLENGE_MINUTES = 5
export const ANSWERS_PER_CHALLENGE = 5
export const GRACE_DAYS = 7
export const RECOVERY_CODES = 10
/** Code of an authenticator app after normalisation. */
export const APP_CODE = /^[0-9]{6}$/
export const PASSKEYS_PER_PERSON = 20
export const RESET_HOURS = 24

export const SECOND_FACTOR = {
  asked: 'Please confirm with your second factor.',
  expired: 'This sign-in has expired. Please log in again.',
  wrongCode: 'The code is wrong or was already used.',
  wrongPasskey: 'The passkey was not accepted.',
  tooManyWrong: 'Too many wrong codes. Please log in again.',
  tooManyCodes: 'Too many wrong codes today. Use a passkey or a recovery code.',
  onlySignIn:
    'This passkey is your only way to log in. Add another passkey, or set a password with Forgot Password first.',
  wrongPassword: 'The password is wrong.',
  passwordOnly: 'You have a second factor. Please confirm with it instead of the password.',
  noPasskeys: 'Passkeys need a portal with a domain name, not an IP address.',
  needed: 'Your access level needs a second factor. Add another one before you remove this one.',
} as const
