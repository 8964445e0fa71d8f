import { readFileSync } from 'node:fs'
import { comparisonKey } from '@trainyard/platform/contract/words/comparison-key.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'

/** Minimum length of a name that is checked, because shorter ones occur in too many good passwords. */
const NAME_LENGTH_MIN = 4

let common: ReadonlySet<string> | null = null

function isCommon(password: string): boolean {
  common ??= new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'))
  return common.has(password)
}

/** Minimum length of a label of a domain that is checked, because shorter ones occur in too many good passwords. */
const LABEL_LENGTH_MIN = 5

const PRODUCT = 'trainyard'

/** Folds spelling as `comparisonKey` does, and also makes STRASSE equal to Straße. */
const fold = (text: string): string => comparisonKey(text.normalize('NFKC').toUpperCase())

/** Returns an address's domain and its names, without the top level: acme.test and acme. */
function domainNames(email: string): string[] {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const labels = domain.split('.').slice(0, -1)
  return [domain, ...labels.filter((label) => label.length >= LABEL_LENGTH_MIN)]
}

/**
 * Throws for a password that is easy to guess: one of the 10,000 most common, or one that contains the user's e-mail, its
 * domain, the organisation or the product's name.
 * @throws Problem malformed
 */
export function refuseWeakPassword(
  password: string,
  account: { readonly email: string; readonly organisation: string | null | undefined },
): void {
  const normalised = fold(password)
  if (isCommon(normalised)) {
    throw new Problem('malformed', 'This password is among the most common ones. Please choose another.')
  }
  const joined = normalised.replace(/\s/g, '')
  const email = fold(account.email)
  const names = [email.split('@', 1)[0]!, fold(account.organisation ?? '')].map((name) => name.replace(/\s/g, ''))
  if (joined.includes(email) || names.some((name) => name.length >= NAME_LENGTH_MIN && joined.includes(name))) {
    throw new Problem('malformed', 'The password must not contain the e-mail or the name of the organisation.')
  }
  if ([PRODUCT, ...domainNames(email)].some((name) => joined.includes(name))) {
    throw new Problem('malformed', 'The password must not contain the domain of the e-mail or the name Trainyard.')
  }
}
