import { randomBytes } from 'node:crypto'
import { BROWSER_SECONDS, isSameToken } from '@trainyard/platform/server/core/tokens.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'

// The browser's cookie is a device cookie: for each of the browser's last few users it contains a token that the portal
// signed.
// An attacker has no token, so wrong guesses do not lock out the owner. Tokens issued with an earlier password are
// invalid, because the owner may have changed the password to exclude that browser.
// Source: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies

const USERS_PER_BROWSER = 5
const TOKEN_PATTERN = /^(?<nonce>[\w-]{22})\.(?<until>\d{10})\.(?<passwordTag>[\w-]{43})\.(?<signature>[\w-]{43})$/

export interface BrowserToken {
  readonly nonce: string
  /** Keyed hash of the password hash. */
  readonly passwordTag: string
}

const signatureOf = (seal: Seal, email: string, { nonce, passwordTag }: BrowserToken, until: string): string =>
  seal.token('browser', `${email}\n${nonce}\n${until}\n${passwordTag}`)

const passwordTagOf = (seal: Seal, nonce: string, passwordHash: string): string =>
  seal.token('password of a browser', `${nonce}\n${passwordHash}`)

const tokensIn = (cookie: string | undefined): string[] =>
  (cookie ?? '').split('~', USERS_PER_BROWSER).filter((token) => TOKEN_PATTERN.test(token))

function verifyToken(seal: Seal, text: string, email: string): BrowserToken | null {
  const { until, signature, ...token } = TOKEN_PATTERN.exec(text)!.groups as Record<
    'nonce' | 'until' | 'passwordTag' | 'signature',
    string
  >
  if (Number(until) < Date.now() / 1000) return null
  return isSameToken(signature, signatureOf(seal, email, token, until)) ? token : null
}

export function findBrowserToken(seal: Seal, cookie: string | undefined, email: string): BrowserToken | null {
  for (const text of tokensIn(cookie)) {
    const token = verifyToken(seal, text, email)
    if (token !== null) return token
  }
  return null
}

export const isForPassword = (seal: Seal, { nonce, passwordTag }: BrowserToken, passwordHash: string): boolean =>
  isSameToken(passwordTag, passwordTagOf(seal, nonce, passwordHash))

export function rememberBrowser(
  seal: Seal,
  cookie: string | undefined,
  { email, passwordHash }: { readonly email: string; readonly passwordHash: string },
): string {
  const nonce = randomBytes(16).toString('base64url')
  const token = { nonce, passwordTag: passwordTagOf(seal, nonce, passwordHash) }
  const until = String(Math.floor(Date.now() / 1000) + BROWSER_SECONDS)
  const text = [nonce, until, token.passwordTag, signatureOf(seal, email, token, until)].join('.')
  const others = tokensIn(cookie).filter((other) => verifyToken(seal, other, email) === null)
  return [text, ...others].slice(0, USERS_PER_BROWSER).join('~')
}
