import { SANDBOX_NAME_LENGTH } from './limits.ts'
import type { May } from './machine.ts'

/** Returns the prefix of all the groups of a user's sandboxes: the user's id before its first hyphen. */
export const groupPrefixOf = (userId: string): string => userId.split('-', 1)[0]!

/** The resource group that a user's sandbox of this name stands in (spec.md section 5). */
export const groupNameOf = (userId: string, name: string): string => `${groupPrefixOf(userId)}-${name}-sandbox`

/** Returns true when a name is as long as a sandbox's may be. */
export const isSandboxName = (name: string): boolean => name.length >= 1 && name.length <= SANDBOX_NAME_LENGTH

/** Rupees on the wire. */
export interface Credits {
  readonly total: number
  readonly consumed: number
}

/** Rupees, exactly: the wire's have at most two decimals. */
export const creditsLeft = ({ total, consumed }: Credits): number =>
  (Math.round(total * 100) - Math.round(consumed * 100)) / 100

export interface SandboxAllowance {
  readonly credits: Credits
  /** How many sandboxes the user has, those still being deleted among them. */
  readonly live: number
  /** How many one may have at a time; null: as many as one likes. */
  readonly limit: number | null
}

/** One more sandbox may be asked for, or the sentence why not. The screen disables with it, the server refuses with it. */
export function maySandboxBeMade({ credits, live, limit }: SandboxAllowance): May {
  if (creditsLeft(credits) <= 0) return 'No credits are left.'
  if (limit === null || live < limit) return true
  return `${limit === 1 ? 'One sandbox' : `${limit} sandboxes`} at a time: delete one first. One that is being deleted counts until it is gone.`
}

/** The name a lab user signs in with at a provider: letters, digits, dot, underscore, hyphen. */
export const LAB_USERNAME_LENGTH = 64
export const LAB_USERNAME_PATTERN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/
