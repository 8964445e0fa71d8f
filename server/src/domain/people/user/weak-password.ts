import { readFileSync } from 'node:fs'
import { Problem } from '../../../core/errors.ts'

/** Shorter names occur in too many good passwords. */
const NAME_LENGTH_MIN = 4

let common: ReadonlySet<string> | null = null

function isCommon(password: string): boolean {
  common ??= new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'))
  return common.has(password)
}

/** ＡＣＭＥ is acme, STRASSE is Straße, and é is the same as one or two code points. */
const fold = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** The 10,000 most common, or with the user's e-mail or organisation. @throws Problem malformed */
export function refuseWeakPassword(
  password: string,
  of: { readonly email: string; readonly organisation: string | null | undefined },
): void {
  const plain = fold(password)
  if (isCommon(plain)) {
    throw new Problem('malformed', 'This password is among the most common ones. Please choose another.')
  }
  const joined = plain.replace(/\s/g, '')
  const email = fold(of.email)
  const names = [email.split('@', 1)[0]!, fold(of.organisation ?? '')].map((name) => name.replace(/\s/g, ''))
  if (joined.includes(email) || names.some((name) => name.length >= NAME_LENGTH_MIN && joined.includes(name))) {
    throw new Problem('malformed', 'The password must not contain the e-mail or the name of the organisation.')
  }
}
