import type { AwsCloud } from '#src/aws/cloud.ts'
import { may } from '#src/aws/iam/rights.ts'
import type { Part, PartKind, User } from '#src/aws/iam/user-rows.ts'
import { iso } from '#src/clock/clock.ts'

/** Everybody who gets in may do this: whoever may not do even this can't do anything. */
const probe = 'ec2:DescribeInstances'

/** Every user that ever was, with what hangs on it and whether anybody gets in by it; accounts; policies. */
export function awsInTruth(cloud: AwsCloud, now: number): unknown {
  return {
    users: cloud.users.ever().map((user) => life(cloud, user, now)),
    accounts: cloud.book.all<{ id: string; name: string; parent: string }>(
      'SELECT id, name, parent FROM aws_account ORDER BY id',
    ),
    policies: cloud.book.all<{ arn: string }>('SELECT arn FROM aws_policy ORDER BY arn').map(({ arn }) => arn),
  }
}

/** Returns all changes in their order. */
export function awsHistory(cloud: AwsCloud): unknown {
  return cloud.book
    .all<{ at: number; operation: string; account: string; name: string }>(
      'SELECT at, operation, account, name FROM aws_history ORDER BY seq',
    )
    .map(({ at, ...event }) => ({ at: iso(at), ...event }))
}

function life(cloud: AwsCloud, user: User, now: number): unknown {
  const exists = user.deleted_at === null
  const parts = cloud.users.really(user)
  const named = (kind: PartKind) => parts.filter((part) => part.kind === kind).map(({ name }) => name)
  const hasLogin = named('login').length > 0
  const activeKeys = parts.filter((part) => part.kind === 'key' && isActive(part)).length
  return {
    account: user.account,
    name: user.name,
    path: user.path,
    exists,
    tags: Object.fromEntries(
      parts
        .filter(({ kind }) => kind === 'tag')
        .map(({ name, doc }) => [name, (JSON.parse(doc) as { value: string }).value]),
    ),
    boundary: named('boundary')[0] ?? null,
    hasLogin,
    keys: named('key').length,
    activeKeys,
    inlinePolicies: named('inline'),
    attachedPolicies: named('attached'),
    others: (['group', 'mfa', 'certificate', 'ssh', 'service'] as const).flatMap(named),
    /** There is a way in, and it leads somewhere. */
    getsIn: exists && (hasLogin || activeKeys > 0) && may(cloud, user, probe, now),
    createdAt: iso(user.created_at),
    deletedAt: user.deleted_at === null ? null : iso(user.deleted_at),
  }
}

const isActive = ({ doc }: Part): boolean => (JSON.parse(doc) as { status: string }).status === 'Active'
