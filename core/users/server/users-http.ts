import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { LIVE_MACHINES } from './queries.ts'
import { withWarnings } from './left-behind.ts'
import { requireAnotherAdmin, requireAnotherSuperadmin } from './last-admin.ts'
import { recordControl } from './controlled-users.ts'
import { revokeLinks } from './invitation-link.ts'
import { invitationEnd } from './invitation-state.ts'
import { inviteUser } from './invite-users.ts'
import { addUser, requireAddable } from './add-user.ts'
import { hashPassword } from './passwords.ts'
import { refuseWeakPassword } from './weak-password.ts'
import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { user } from '../contract/user.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PortalUserRow } from '../tables.gen.ts'

export const userHandlers = ({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'user'> => ({
  list: async (db) => ({ users: await listUsers(db) }),

  create: prepared({
    async prepare(db, { body, closed }) {
      refuseWeakPassword(body.password, { email: body.email, organisation: body.organization })
      await requireAddable(db, body)
      return hashPassword(body.password, closed)
    },
    async change(tx, { actor, body }, passwordHash) {
      await recordControl(tx, await addUser(tx, body, passwordHash), actor.id, 'created')
      return { message: `User ${body.email} created successfully!` }
    },
  }),

  async invite(tx, { actor, body }) {
    const invited = await addUser(tx, body, null)
    await recordControl(tx, invited, actor.id, 'created')
    await inviteUser(tx, jobs, invited)
    return { message: `An invitation is on its way to ${body.email}.` }
  },

  async resendInvitation(tx, { body }) {
    const user = await lockUserByEmail(tx, body)
    if (user.hasPassword) throw conflict(`${body.email} already has a password.`)
    await revokeLinks(tx, user.id)
    await inviteUser(tx, jobs, user.id)
    return { message: `A new invitation is on its way to ${body.email}.` }
  },

  async revokeInvitation(tx, { body }) {
    const user = await lockUserByEmail(tx, body)
    const revoked = user.hasPassword ? 0 : await revokeLinks(tx, user.id)
    if (revoked === 0) throw conflict(`There is no invitation for ${body.email}.`)
    return { message: `The invitation for ${body.email} was revoked.` }
  },

  /** Removes a user. The user's machines and their cost remain. */
  async remove(tx, { body, auditChange }) {
    const user = await lockUserByEmail(tx, body)
    if (user.role === 'superadmin') await requireAnotherSuperadmin(tx, ({ id }) => id === user.id)
    await requireAnotherAdmin(tx, user, 'leaves')
    await tx.deleteFrom('portal_user').where('id', '=', user.id).execute()
    auditChange({ email: body.email, userType: user.role, organization: body.organization }, null)
    const { email } = body
    return { message: await withWarnings(tx, { ...user, email }, `User ${email} deleted successfully!`) }
  },
})

async function listUsers(db: Db): Promise<ReplyOf<typeof user.list>['users']> {
  const rows = await db
    .selectFrom('portal_user')
    .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('invitation')
          .select([
            invitationEnd().as('until'),
            'invitation.bounce',
            sql<boolean>`${invitationEnd()} <= portal_now()`.as('expired'),
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
    .select(LIVE_MACHINES.as('machines'))
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
async function lockUserByEmail(
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
  const { password_hash: passwordHash, ...locked } = user
  return { ...locked, hasPassword: passwordHash !== null }
}
