import { createHash, timingSafeEqual } from 'node:crypto'
import { isMailedToken } from '../../contract/words/mailed-link.ts'
import { Problem } from './errors.ts'

/** Lifetime of the cookie that recognises a browser, in seconds. Browsers limit cookies to 400 days. */
export const BROWSER_SECONDS = 365 * 24 * 60 * 60

export const SIGN_IN_SECONDS = 10 * 60

/**
 * Returns the hash of a token. The database stores only the hash, so that a reader of the database cannot use the
 * token.
 */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Compares two tokens in constant time. `timingSafeEqual` alone throws for texts with different numbers of bytes. */
export function isSameToken(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}

interface MailedTokenProblems {
  readonly incomplete: string
  readonly notValid: string
}

/**
 * Returns the ID of the row for which the token of an e-mailed link was computed.
 * @param tokenOf computes the token of an ID
 * @throws Problem notFound if the token is incomplete, or not the token of its ID
 */
export function idOfMailedToken(
  token: string,
  tokenOf: (id: string) => string,
  { incomplete, notValid }: MailedTokenProblems,
): string {
  if (!isMailedToken(token)) throw new Problem('notFound', incomplete)
  const id = token.slice(0, token.indexOf('.'))
  if (!isSameToken(token, tokenOf(id))) throw new Problem('notFound', notValid)
  return id
}
