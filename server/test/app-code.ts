import { Secret, TOTP } from 'otpauth'

/** Returns the code that an authenticator app shows at an instant for a base32 secret. */
export const appCode = (secret: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() })
