import { organization, type AwsCloud } from '#src/aws/cloud.ts'
import { judge, managedStatements, checkedDocument, type Verdict } from '#src/aws/iam/policies.ts'
import type { Part, User } from '#src/aws/iam/user-rows.ts'

/**
 * Returns true when a user may do something at an instant, as IAM judges: no policy denies it, one of the user's own
 * allows it, the permissions boundary does too, and the organization does not keep the account from everything.
 */
export function may(cloud: AwsCloud, user: User, action: string, now: number): boolean {
  const parts = cloud.users.really(user)
  const own = parts.filter(({ kind }) => kind === 'inline' || kind === 'attached')
  const verdicts = new Set(own.map((part) => verdictOf(cloud, part, action, now)))
  if (verdicts.has('denied') || !verdicts.has('allowed')) return false
  const boundary = parts.find(({ kind }) => kind === 'boundary')
  if (boundary !== undefined && judge(managedStatements(cloud, boundary.name), action, now) !== 'allowed') return false
  return !isShut(cloud, user.account)
}

function verdictOf(cloud: AwsCloud, { kind, name, doc }: Part, action: string, now: number): Verdict {
  if (kind === 'attached') return judge(managedStatements(cloud, name), action, now)
  const { document } = JSON.parse(doc) as { document: string }
  return judge(checkedDocument(document), action, now)
}

/** Returns true when the policy that denies everything is attached to the account or to the unit it is in. */
function isShut(cloud: AwsCloud, account: string): boolean {
  return (
    cloud.book.one(
      'SELECT 1 AS shut FROM aws_control WHERE policy = ? AND target IN (?, (SELECT parent FROM aws_account WHERE id = ?))',
      organization.denyAll,
      account,
      account,
    ) !== undefined
  )
}
