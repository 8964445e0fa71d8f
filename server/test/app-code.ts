import { Secret, TOTP } from 'otpauth'

/** The code that an authenticator app shows at an instant for a secret in base32. */
export const appCode = (secret: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() })
