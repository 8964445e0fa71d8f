import { randomBytes, timingSafeEqual } from 'node:crypto'
import { BROWSER_SECONDS } from '../../core/tokens.ts'
import type { Seal } from '../../secrets/seal.ts'

// The cookie of a browser with which people have signed in holds, for each of the last few, a mark signed by us that
// says so. A guesser has none, so that wrong passwords of theirs don't keep out whoever has one.
// Source: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies

/** People that one browser is remembered for: those of a shared desk. */
const MARKS = 5
const FORM = /^(?<nonce>[\w-]{22})\.(?<until>\d{10})\.(?<proof>[\w-]{43})$/

const proofOf = (seal: Seal, email: string, nonce: string, until: string): string =>
  seal.token('browser', `${email}\n${nonce}\n${until}`)

const marksIn = (cookie: string | undefined): string[] =>
  (cookie ?? '').split('~', MARKS).filter((mark) => FORM.test(mark))

function nonceOf(seal: Seal, mark: string, email: string): string | null {
  const { nonce, until, proof } = FORM.exec(mark)!.groups as { nonce: string; until: string; proof: string }
  if (Number(until) < Date.now() / 1000) return null
  return timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(seal, email, nonce, until))) ? nonce : null
}

/** The name of the lane that a person's own browser has; null where they have not signed in with it. */
export function knownBrowser(seal: Seal, cookie: string | undefined, email: string): string | null {
  for (const mark of marksIn(cookie)) {
    const nonce = nonceOf(seal, mark, email)
    if (nonce !== null) return nonce
  }
  return null
}

/** The cookie's new value once a person has signed in: a fresh mark of theirs, before those of others. */
export function rememberBrowser(seal: Seal, cookie: string | undefined, email: string): string {
  const nonce = randomBytes(16).toString('base64url')
  const until = String(Math.floor(Date.now() / 1000) + BROWSER_SECONDS)
  const mark = [nonce, until, proofOf(seal, email, nonce, until)].join('.')
  const others = marksIn(cookie).filter((other) => nonceOf(seal, other, email) === null)
  return [mark, ...others].slice(0, MARKS).join('~')
}
