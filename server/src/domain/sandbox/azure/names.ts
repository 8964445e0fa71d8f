import { SANDBOX_NAME_LENGTH } from '@trainyard/contract/words/limits.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { Problem } from '../../../http/problem.ts'

/** What the names of all of a user's sandboxes begin with: their userId before its first hyphen. */
const prefixOf = (userId: string): string => userId.split('-', 1)[0]!

/** The group that a user's sandbox of this name stands in (spec.md section 5). */
export const groupNameOf = (userId: string, name: string): string => `${prefixOf(userId)}-${name}-sandbox`

/**
 * A group's name as asked for, checked to be one that this user may have.
 * @throws Problem broken, with the spec's sentence where the name in the middle is too long or empty
 */
export function ownGroupName(userId: string, asked: string): string {
  const before = `${prefixOf(userId)}-`
  const after = '-sandbox'
  const shape = asked.toLowerCase()
  if (!shape.startsWith(before) || !shape.endsWith(after) || asked.length < before.length + after.length) {
    throw new Problem('broken', `resourceGroupName must be ${before}NAME${after}.`)
  }
  const name = asked.slice(before.length, -after.length)
  if (name.length === 0 || name.length > SANDBOX_NAME_LENGTH) throw new Problem('broken', ALERTS.sandboxName)
  if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    throw new Problem('broken', 'Sandbox name must hold only letters, digits, hyphens and underscores.')
  }
  return groupNameOf(userId, name)
}
