import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { user } from '@trainyard/contract/calls/user.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { PortalUserRow } from '../../../db/tables/users.gen.ts'
import { notFound } from '../../../core/errors.ts'
import { INVITATION_END } from './invitation.ts'

export async function listUsers(db: Db): Promise<ReplyOf<typeof user.list>['users']> {
  const rows = await db
    .selectFrom('portal_user')
    .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('invitation')
          .select([
            INVITATION_END.as('until'),
            'invitation.bounce',
            sql<boolean>`${INVITATION_END} <= portal_now()`.as('expired'),
          ])
          .whereRef('invitation.user_id', '=', 'portal_user.id')
          .where('portal_user.password_hash', 'is', null)
          .where('invitation.purpose', '=', 'invitation')
          .where('invitation.used_at', 'is', null)
          .where('invitation.revoked_at', 'is', null)
          .orderBy('invitation.expires_at', 'desc')
          .limit(1)
          .as('invited'),
      (join) => join.onTrue(),
    )
    .select(['portal_user.email', 'portal_user.name'])
    .select(['organisation.name as organization', 'portal_user.role as userType'])
    .select(['invited.until', 'invited.expired', 'invited.bounce'])
    .select(
      sql<number>`(select count(*) from machine where machine.organisation_id = portal_user.organisation_id
        and machine.email = portal_user.email and machine.terminated_at is null)`.as('machines'),
    )
    .orderBy('portal_user.email')
    .execute()
  return rows.map(({ until, expired, bounce, ...row }) => ({
    ...row,
    invitation: until === null ? null : { until: until.toISOString(), expired: expired === true, bounced: bounce },
  }))
}

/**
 * Locks a user. `organization` is null for users without one.
 * @throws Problem notFound
 */
export async function lockUserByEmail(
  tx: Tx,
  named: { readonly email: string; readonly organization: string | null },
): Promise<Pick<PortalUserRow, 'id' | 'role' | 'organisation_id'> & { readonly hasPassword: boolean }> {
  const user = await tx
    .selectFrom('portal_user')
    .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
    .select(['portal_user.id', 'portal_user.role', 'portal_user.organisation_id', 'portal_user.password_hash'])
    .where('portal_user.email', '=', named.email)
    .where(
      sql`comparison_key(organisation.name)`,
      'is not distinct from',
      sql`comparison_key(${named.organization}::text)`,
    )
    .forUpdate('portal_user')
    .executeTakeFirst()
  if (user === undefined) throw notFound('user')
  const { password_hash: passwordHash, ...account } = user
  return { ...account, hasPassword: passwordHash !== null }
}
