import { type HandlersOf, prepared } from '../../../core/handler.ts'
import { conflict } from '../../../core/errors.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { requireAnotherAdmin, requireAnotherSuperadmin } from '../organisation/last-admin.ts'
import { recordControl } from './account-control.ts'
import { revokeLinks } from './invitation.ts'
import { inviteUser } from './invite.ts'
import { addUser, requireAddable } from './add-user.ts'
import { listUsers, lockUserByEmail } from './users.ts'
import { hashPassword } from './passwords.ts'
import { refuseWeakPassword } from './weak-password.ts'

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
    return { message: `User ${body.email} deleted successfully!` }
  },
})
