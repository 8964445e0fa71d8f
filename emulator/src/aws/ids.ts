import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** An id as IAM makes them: a prefix that tells the kind (AIDA a user, AKIA a key), then 16 characters. */
export function uniqueId(prefix: 'ACCA' | 'AIDA' | 'AKIA' | 'ANPA' | 'APKA' | 'ASIA'): string {
  return prefix + Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')
}

export const userArn = (account: string, path: string, name: string): string =>
  `arn:aws:iam::${account}:user${path}${name}`
