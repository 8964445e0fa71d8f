import { SANDBOX_NAME_LENGTH } from './limits.ts'

/** What the groups of all of a user's sandboxes begin with: their id before its first hyphen. */
export const groupPrefixOf = (userId: string): string => userId.split('-', 1)[0]!

/** The resource group that a user's sandbox of this name stands in (spec.md section 5). */
export const groupNameOf = (userId: string, name: string): string => `${groupPrefixOf(userId)}-${name}-sandbox`

/** Whether a name is as long as a sandbox's may be. */
export const isSandboxName = (name: string): boolean => name.length >= 1 && name.length <= SANDBOX_NAME_LENGTH
