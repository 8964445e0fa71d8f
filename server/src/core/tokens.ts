import { createHash, timingSafeEqual } from 'node:crypto'

/** Lifetime of a remembered browser, in seconds. Browsers cap cookies at 400 days. */
export const BROWSER_SECONDS = 365 * 24 * 60 * 60

export const SIGN_IN_SECONDS = 10 * 60

/** The database stores only the hash, so that a reader of the database cannot use the token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Compares in constant time. `timingSafeEqual` alone throws for texts of different lengths in bytes. */
export function isSameToken(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
