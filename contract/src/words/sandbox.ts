import { SANDBOX_NAME_LENGTH } from './limits.ts'
import type { TrueOrReason } from './machine.ts'

/** Returns the prefix of a user's sandbox resource groups: the user ID up to the first hyphen. */
export const groupPrefixOf = (userId: string): string => userId.split('-', 1)[0]!

/** Returns the name of the resource group of a user's sandbox (spec.md section 5). */
export const groupNameOf = (userId: string, name: string): string => `${groupPrefixOf(userId)}-${name}-sandbox`

export const isSandboxName = (name: string): boolean => name.length >= 1 && name.length <= SANDBOX_NAME_LENGTH

/** In rupees. */
export interface Credits {
  readonly total: number
  readonly consumed: number
}

/**
 * Returns the remaining credits in rupees. The subtraction is done in paise, because values on the wire have at most
 * two decimals.
 */
export const creditsLeft = ({ total, consumed }: Credits): number =>
  (Math.round(total * 100) - Math.round(consumed * 100)) / 100

export interface SandboxAllowance {
  readonly credits: Credits
  /** Number of the user's sandboxes, including those being deleted. */
  readonly live: number
  readonly limit: number | null
}

/**
 * Returns true if another sandbox can be created, otherwise the reason why not. The web app and the server share this
 * rule.
 */
export function canCreateSandbox({ credits, live, limit }: SandboxAllowance): TrueOrReason {
  if (creditsLeft(credits) <= 0) return 'No credits are left.'
  if (limit === null || live < limit) return true
  return `${limit === 1 ? 'One sandbox' : `${limit} sandboxes`} at a time. Delete one first. A sandbox that is being deleted counts until it has been deleted.`
}

/** Username of a lab user at the provider: letters, digits, dots, underscores and hyphens. */
export const LAB_USERNAME_LENGTH = 64
export const LAB_USERNAME_PATTERN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/
