import { Secret, TOTP } from 'otpauth'

const ISSUER = 'Trainyard'
const STEP_SECONDS = 30
/** Steps that the clock of a phone may be ahead or behind. */
const SKEW = 1
/** As RFC 4226 recommends. Source: https://www.rfc-editor.org/rfc/rfc4226#section-4 */
const SECRET_BYTES = 20

/** A new secret, in base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The codes that an app shows for a secret; each app reads these settings from the QR code. */
const codesOf = (secret: string, email: string): TOTP =>
  new TOTP({ issuer: ISSUER, label: email, secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })

/** The address that the QR code holds. */
export const otpauthUri = (secret: string, email: string): string => codesOf(secret, email).toString()

/** Returns the step whose code this is, at most one before or after the present one; null: the code is wrong. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const codes = codesOf(secret, '')
  const delta = codes.validate({ token: code, timestamp: now.getTime(), window: SKEW })
  return delta === null ? null : codes.counter({ timestamp: now.getTime() }) + delta
}
