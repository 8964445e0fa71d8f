import type { AwsCloud } from './cloud.ts'
import { isAllowed } from './iam/permissions.ts'
import type { Part, PartKind, User } from './iam/user-rows.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'

const PROBED_ACTION = 'ec2:DescribeInstances'

export function recordedAws(cloud: AwsCloud, now: number): unknown {
  return {
    users: cloud.users.allEver().map((user) => userRecord(cloud, user, now)),
    accounts: cloud.database.all<{ id: string; name: string; parent: string }>(
      'SELECT id, name, parent FROM aws_account ORDER BY id',
    ),
    policies: cloud.database.all<{ arn: string }>('SELECT arn FROM aws_policy ORDER BY arn').map(({ arn }) => arn),
  }
}

export function awsHistory(cloud: AwsCloud): unknown {
  return cloud.database
    .all<{ at: number; operation: string; account: string; name: string }>(
      'SELECT at, operation, account, name FROM aws_history ORDER BY seq',
    )
    .map(({ at, ...event }) => ({ at: iso(at), ...event }))
}

function userRecord(cloud: AwsCloud, user: User, now: number): unknown {
  const exists = user.deleted_at === null
  const parts = cloud.users.currentParts(user)
  const namesOfKind = (kind: PartKind) => parts.filter((part) => part.kind === kind).map(({ name }) => name)
  const hasLogin = namesOfKind('login').length > 0
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
    boundary: namesOfKind('boundary')[0] ?? null,
    hasLogin,
    keys: namesOfKind('key').length,
    activeKeys,
    inlinePolicies: namesOfKind('inline'),
    attachedPolicies: namesOfKind('attached'),
    others: (['group', 'mfa', 'certificate', 'ssh', 'service'] as const).flatMap(namesOfKind),
    hasAccess: exists && (hasLogin || activeKeys > 0) && isAllowed(cloud, user, PROBED_ACTION, now),
    createdAt: iso(user.created_at),
    deletedAt: user.deleted_at === null ? null : iso(user.deleted_at),
  }
}

const isActive = ({ doc }: Part): boolean => (JSON.parse(doc) as { status: string }).status === 'Active'
