import { organization, type AwsCloud } from '../cloud.ts'
import { evaluate, managedStatements, parsePolicy, type Verdict } from './policies.ts'
import type { Part, User } from './user-rows.ts'

export function isAllowed(cloud: AwsCloud, user: User, action: string, now: number): boolean {
  const parts = cloud.users.currentParts(user)
  const policies = parts.filter(({ kind }) => kind === 'inline' || kind === 'attached')
  const verdicts = new Set(policies.map((part) => evaluatePart(cloud, part, action, now)))
  if (verdicts.has('denied') || !verdicts.has('allowed')) return false
  const boundary = parts.find(({ kind }) => kind === 'boundary')
  if (boundary !== undefined && evaluate(managedStatements(cloud, boundary.name), action, now) !== 'allowed')
    return false
  return !isDeniedByOrganization(cloud, user.account)
}

function evaluatePart(cloud: AwsCloud, { kind, name, doc }: Part, action: string, now: number): Verdict {
  if (kind === 'attached') return evaluate(managedStatements(cloud, name), action, now)
  const { document } = JSON.parse(doc) as { document: string }
  return evaluate(parsePolicy(document), action, now)
}

function isDeniedByOrganization(cloud: AwsCloud, account: string): boolean {
  return (
    cloud.database.one(
      'SELECT 1 AS shut FROM aws_control WHERE policy = ? AND target IN (?, (SELECT parent FROM aws_account WHERE id = ?))',
      organization.denyAll,
      account,
      account,
    ) !== undefined
  )
}
