import { randomBytes, timingSafeEqual } from 'node:crypto'
import { BROWSER_SECONDS } from '../../../core/tokens.ts'
import type { Seal } from '../../../secrets/seal.ts'

// Device cookies: for each of its last few users, a browser's cookie holds a token signed by the portal. An attacker
// has no token, so wrong guesses do not lock out the owner. Tokens issued with an earlier password are invalid, because
// the owner may have changed the password to exclude that browser.
// Source: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies

/** Maximum number of users remembered per browser, for shared computers. */
const MARKS = 5
const FORM = /^(?<nonce>[\w-]{22})\.(?<until>\d{10})\.(?<made>[\w-]{43})\.(?<proof>[\w-]{43})$/

/** Token that proves an earlier sign-in of a user with a browser. */
export interface Mark {
  /** Random and unique per token. */
  readonly nonce: string
  /** Keyed hash of the password hash that the token was issued with. */
  readonly made: string
}

const proofOf = (seal: Seal, email: string, { nonce, made }: Mark, until: string): string =>
  seal.token('browser', `${email}\n${nonce}\n${until}\n${made}`)

const madeFor = (seal: Seal, nonce: string, passwordHash: string): string =>
  seal.token('password of a browser', `${nonce}\n${passwordHash}`)

const marksIn = (cookie: string | undefined): string[] =>
  (cookie ?? '').split('~', MARKS).filter((mark) => FORM.test(mark))

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

function readMark(seal: Seal, text: string, email: string): Mark | null {
  const { until, proof, ...mark } = FORM.exec(text)!.groups as Record<'nonce' | 'until' | 'made' | 'proof', string>
  if (Number(until) < Date.now() / 1000) return null
  return isSame(proof, proofOf(seal, email, mark, until)) ? mark : null
}

/** Returns the user's token in a browser cookie, or null if the user has not signed in with this browser. */
export function knownBrowser(seal: Seal, cookie: string | undefined, email: string): Mark | null {
  for (const text of marksIn(cookie)) {
    const mark = readMark(seal, text, email)
    if (mark !== null) return mark
  }
  return null
}

/** Returns true if the token was issued with the user's present password. */
export const isOfPassword = (seal: Seal, { nonce, made }: Mark, passwordHash: string): boolean =>
  isSame(made, madeFor(seal, nonce, passwordHash))

/** Returns the cookie's new value after a sign-in: a new token for the user, followed by those of other users. */
export function rememberBrowser(
  seal: Seal,
  cookie: string | undefined,
  { email, passwordHash }: { readonly email: string; readonly passwordHash: string },
): string {
  const nonce = randomBytes(16).toString('base64url')
  const mark = { nonce, made: madeFor(seal, nonce, passwordHash) }
  const until = String(Math.floor(Date.now() / 1000) + BROWSER_SECONDS)
  const text = [nonce, until, mark.made, proofOf(seal, email, mark, until)].join('.')
  const others = marksIn(cookie).filter((other) => readMark(seal, other, email) === null)
  return [text, ...others].slice(0, MARKS).join('~')
}
