import { SANDBOX_NAME_LENGTH, SANDBOXES_MAX } from '@trainyard/platform/contract/words/limits.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'

/** The user ID up to the first hyphen. */
export const groupPrefixOf = (userId: string): string => userId.split('-', 1)[0]!

/** See spec.md section 5. */
export const groupNameOf = (userId: string, name: string): string => `${groupPrefixOf(userId)}-${name}-sandbox`

export const isSandboxName = (name: string): boolean => name.length >= 1 && name.length <= SANDBOX_NAME_LENGTH

export interface SandboxCredits {
  readonly total: number
  readonly consumed: number
}

/** Subtracted in paise, because values on the wire have at most two decimals. */
export const sandboxCreditsLeft = ({ total, consumed }: SandboxCredits): number =>
  (Math.round(total * 100) - Math.round(consumed * 100)) / 100

export interface SandboxAllowance {
  readonly credits: SandboxCredits
  /** Including those being deleted. */
  readonly live: number
  /** Limit set by the operator. If null, only `SANDBOXES_MAX` applies. */
  readonly limit: number | null
}

export function canCreateSandbox({ credits, live, limit }: SandboxAllowance): TrueOrReason {
  if (sandboxCreditsLeft(credits) <= 0) return 'No credits are left.'
  const most = limit ?? SANDBOXES_MAX
  if (live < most) return true
  return `${most === 1 ? 'One sandbox' : `${most} sandboxes`} at a time. Delete one first. A sandbox that is being deleted counts until it has been deleted.`
}

export const LAB_USERNAME_LENGTH = 64
export const LAB_USERNAME_PATTERN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/
