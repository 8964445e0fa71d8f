import { SANDBOX_NAME_LENGTH } from '@trainyard/contract/words/limits.ts'

/** The resource group of a sandbox: what stands in the user's id before its first hyphen, the name, and -sandbox. */
export const groupNameOf = (userId: string, name: string): string => `${userId.split('-', 1)[0]}-${name}-sandbox`

/** Whether a name is as long as a sandbox's may be. */
export const isSandboxName = (name: string): boolean => name.length >= 1 && name.length <= SANDBOX_NAME_LENGTH
