import { randomBytes, timingSafeEqual } from 'node:crypto'
import { BROWSER_SECONDS } from '../../../core/tokens.ts'
import type { Seal } from '../../../secrets/seal.ts'

// The cookie of a browser with which people have signed in holds, for each of the last few, a mark signed by us that
// says so. A guesser has none, so that wrong passwords of theirs don't keep out whoever has one. A changed password
// ends the marks made with the one before: whoever changes it may fear for their browser.
// Source: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies

/** People that one browser is remembered for: those of a shared desk. */
const MARKS = 5
const FORM = /^(?<nonce>[\w-]{22})\.(?<until>\d{10})\.(?<made>[\w-]{43})\.(?<proof>[\w-]{43})$/

/** The mark that says that a person has signed in with a browser. */
export interface Mark {
  /** Names the browser and the person together; it is in no other mark. */
  readonly nonce: string
  /** Says for which password it was made. */
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

/** The mark of a person in their own browser's cookie; null where they have not signed in with it. */
export function knownBrowser(seal: Seal, cookie: string | undefined, email: string): Mark | null {
  for (const text of marksIn(cookie)) {
    const mark = readMark(seal, text, email)
    if (mark !== null) return mark
  }
  return null
}

/** Returns true when a mark was made with the password that its person has now. */
export const isOfPassword = (seal: Seal, { nonce, made }: Mark, passwordHash: string): boolean =>
  isSame(made, madeFor(seal, nonce, passwordHash))

/** The cookie's new value once a person has signed in: a fresh mark of theirs, before those of others. */
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
