import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { groupNameOf, groupPrefixOf, isSandboxName } from '@trainyard/lab-users/contract/sandbox-words.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'

/** @throws Problem invalid, with the alert of the specification, or if the user may not have it */
export function ownGroupName(userId: string, request: string): string {
  const before = `${groupPrefixOf(userId)}-`
  const after = '-sandbox'
  const shape = request.toLowerCase()
  if (!shape.startsWith(before) || !shape.endsWith(after) || request.length < before.length + after.length) {
    throw new Problem('invalid', `resourceGroupName must be ${before}NAME${after}.`)
  }
  const name = request.slice(before.length, -after.length)
  if (!isSandboxName(name)) throw new Problem('invalid', ALERTS.sandboxName)
  if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    throw new Problem('invalid', 'Sandbox name must contain only letters, digits, hyphens and underscores.')
  }
  return groupNameOf(userId, name)
}
