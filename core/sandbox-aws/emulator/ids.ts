import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns an ID in IAM's format: a prefix for the kind (AIDA for a user, AKIA for a key), then 16 characters. */
export function uniqueId(prefix: 'ACCA' | 'AIDA' | 'AKIA' | 'ANPA' | 'APKA' | 'ASIA'): string {
  return prefix + Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')
}

export const userArn = (account: string, path: string, name: string): string =>
  `arn:aws:iam::${account}:user${path}${name}`
