import { Secret, TOTP } from 'otpauth'
import { APP_CODE } from '../contract/second-factor-words.ts'

const ISSUER = 'Trainyard'
const STEP_SECONDS = 30
/** Tolerated clock difference in both directions, in steps. */
const SKEW = 1
/** Source: https://www.rfc-editor.org/rfc/rfc4226#section-4 */
const SECRET_BYTES = 20

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

const totpOf = (secret: string, email: string): TOTP =>
  new TOTP({ issuer: ISSUER, label: email, secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })

export const otpauthUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/** Returns the number of the time step in which the code is valid, or null if the code is wrong. */
export function matchingTimeStep(secret: string, code: string, now: Date): number | null {
  // The library throws for a code with characters of several bytes.
  if (!APP_CODE.test(code)) return null
  const totp = totpOf(secret, '')
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: SKEW })
  return delta === null ? null : totp.counter({ timestamp: now.getTime() }) + delta
}
