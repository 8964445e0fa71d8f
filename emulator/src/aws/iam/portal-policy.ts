import type { AwsCloud } from '#src/aws/cloud.ts'
import { checkedDocument, judge, type Verdict } from '#src/aws/iam/policies.ts'

/** Gives the portal's own user a policy; null: as at first, where it may do everything. */
export function setPortalPolicy({ book }: AwsCloud, document: string | null): void {
  book.run('DELETE FROM aws_portal_policy')
  if (document === null) return
  checkedDocument(document)
  book.run('INSERT INTO aws_portal_policy (doc) VALUES (?)', document)
}

/** Returns the verdict of the portal's own user's policy on an action. */
export function portalVerdict({ book }: AwsCloud, action: string, now: number): Verdict {
  const policy = book.one<{ doc: string }>('SELECT doc FROM aws_portal_policy')
  return policy === undefined ? 'allowed' : judge(checkedDocument(policy.doc), action, now)
}
