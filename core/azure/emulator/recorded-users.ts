import { iso, wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import { groupType } from './groups/resource-groups.ts'
import { allAssignments } from './authorization/role-assignments.ts'
import { roleOf } from './authorization/roles.ts'
import type { AzureCloud } from './cloud.ts'

export function recordedUsers(cloud: AzureCloud): unknown[] {
  const assignments = Map.groupBy(allAssignments(cloud), ({ principal }) => principal)
  const groups = new Map(cloud.resources.ofType(groupType).map((group) => [group.key, group.name]))
  const instant = (at: number | null) => (at === null ? null : iso(wholeSecond(at)))
  return cloud.directory.all().map((user) => {
    const exists = user.deleted_at === null
    return {
      id: user.id,
      userPrincipalName: exists ? user.upn : user.upn.slice(32),
      mailNickname: user.mail_nickname,
      exists,
      canSignIn: exists && user.enabled === 1,
      roles: (assignments.get(user.id) ?? []).map(({ scope, scope_key, role }) => ({
        group: groups.get(scope_key) ?? scope,
        role: roleOf(role)?.name,
      })),
      createdAt: iso(user.created_at),
      blockedAt: instant(user.blocked_at),
      sessionsRevokedAt: instant(user.sessions_revoked_at),
      deletedAt: instant(user.deleted_at),
      purgedAt: instant(user.purged_at),
    }
  })
}
