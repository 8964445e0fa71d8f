import { readFileSync } from 'node:fs'
import { Problem } from '../../core/errors.ts'

/** Shorter names are in too many good passwords. */
const SHORTEST_NAME = 4

let common: ReadonlySet<string> | null = null

function isCommon(password: string): boolean {
  common ??= new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'))
  return common.has(password)
}

/**
 * Refuses a password that a guesser tries first: one of the 10,000 most common, or one that holds its person's e-mail or
 * organisation.
 * @throws Problem malformed
 */
export function refuseWeak(
  password: string,
  of: { readonly email: string; readonly organisation: string | null },
): void {
  const plain = password.normalize('NFKC').toLowerCase()
  if (isCommon(plain)) {
    throw new Problem('malformed', 'This password is among the most common ones. Please choose another.')
  }
  const joined = plain.replace(/\s/g, '')
  const email = of.email.toLowerCase()
  const names = [email.split('@', 1)[0]!, of.organisation ?? ''].map((name) => name.toLowerCase().replace(/\s/g, ''))
  if (joined.includes(email) || names.some((name) => name.length >= SHORTEST_NAME && joined.includes(name))) {
    throw new Problem('malformed', 'The password must not hold the e-mail or the name of the organisation.')
  }
}
