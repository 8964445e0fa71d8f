import { Secret, TOTP } from 'otpauth'

export const appCode = (secret: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() })
