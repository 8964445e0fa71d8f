import type { AwsCloud } from '../cloud.ts'
import { parsePolicy, evaluate, type Verdict } from './policies.ts'

/** Sets the policy of the portal's user. null: the initial state, in which it has all permissions. */
export function setPortalPolicy({ database }: AwsCloud, document: string | null): void {
  database.run('DELETE FROM aws_portal_policy')
  if (document === null) return
  parsePolicy(document)
  database.run('INSERT INTO aws_portal_policy (doc) VALUES (?)', document)
}

export function evaluatePortalPolicy({ database }: AwsCloud, action: string, now: number): Verdict {
  const policy = database.one<{ doc: string }>('SELECT doc FROM aws_portal_policy')
  return policy === undefined ? 'allowed' : evaluate(parsePolicy(policy.doc), action, now)
}
