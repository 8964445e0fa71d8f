import { randomInt } from 'node:crypto'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { type Seal, UnreadableSecret } from '@trainyard/platform/server/run/secrets/seal.ts'

/** User name of the administrator. Azure forbids some names, but not this one. */
export const ADMIN_USERNAME = 'learner'

// Characters of passwords. Excludes characters that look alike, and characters that shells or other keyboard layouts
// mishandle.
const CLASSES = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '-_.+=@#%']
const ALL = CLASSES.join('')
const LENGTH = 18

export function makePassword(): string {
  const picked = [...CLASSES, ...Array.from({ length: LENGTH - CLASSES.length }, () => ALL)].map(
    (set) => set[randomInt(set.length)]!,
  )
  for (let i = picked.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[picked[i], picked[j]] = [picked[j]!, picked[i]!]
  }
  return picked.join('')
}

/** Returns the reason why a machine's password cannot be shown, and advice. */
export const unreadablePassword = (error: UnreadableSecret): string =>
  `${error.message} Reset the machine to give it a new password.`

/**
 * Decrypts a machine's password for a call.
 * @throws Problem conflict if no configured key decrypts it
 */
export function openPassword(seal: Pick<Seal, 'open'>, password: Buffer, machine: string): string {
  try {
    return seal.open(password, machine)
  } catch (error) {
    throw error instanceof UnreadableSecret ? conflict(unreadablePassword(error)) : error
  }
}

/**
 * Decrypts the password of a machine or lab user for a provider.
 * @throws CloudError refused if no configured key decrypts the password, because a retry cannot succeed
 */
export function passwordToSend(seal: Pick<Seal, 'open'>, password: Buffer, id: string): string {
  try {
    return seal.open(password, id)
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error
    throw new CloudError('refused', error.message, null, { cause: error, final: true })
  }
}
