import { normaliseEmail } from '@trainyard/contract/words/email.ts'
import { DEFAULT_TIME_ZONE } from '@trainyard/contract/words/limits.ts'
import type { Actor } from '../../http/actor.ts'
import { signedOut } from '../../http/authenticate.ts'
import { type HandlersOf, prepared } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { Seal } from '../../secrets/seal.ts'
import { abilitiesOf } from './abilities.ts'
import { findAccount } from './account.ts'
import { openInvitation, useInvitation } from './invitation.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { endSession, endSessionsOf, openSession } from './sessions.ts'

export const sessionHandlers = ({ seal }: { readonly seal: Seal }): HandlersOf<'session'> => ({
  login: prepared({
    async prepare(db, { body }) {
      const account = await findAccount(db, { email: normaliseEmail(body.email) })
      const right = await isPassword(body.password, account?.passwordHash)
      if (account === undefined || !right) throw new Problem('signedOut', 'The e-mail or the password is wrong.')
      return account
    },
    async change(tx, { setSessionCookie, actAs }, { actor, passwordHash }) {
      // The account as it is now, locked: a session must not outlive a user deleted, or a password changed, meanwhile.
      const stands = await tx
        .selectFrom('portal_user')
        .select('id')
        .where('id', '=', actor.id)
        .where('password_hash', '=', passwordHash)
        .forShare()
        .executeTakeFirst()
      if (stands === undefined) throw signedOut()
      actAs(actor)
      const uid = await openSession(tx, actor.id)
      setSessionCookie(uid)
      return signedIn(actor, uid, 'Login successful.')
    },
  }),

  async logout(tx, { sessionHash, setSessionCookie }) {
    if (sessionHash !== null) await endSession(tx, sessionHash)
    setSessionCookie(null)
    return { message: 'Logged out.' }
  },

  me: async (_db, { actor }) => ({
    email: actor.email,
    organization: actor.organisation?.name ?? null,
    userType: actor.role,
    logo: actor.organisation?.logo ?? null,
    timeZone: actor.organisation?.timeZone ?? DEFAULT_TIME_ZONE,
    abilities: abilitiesOf(actor.role),
  }),

  setPassword: prepared({
    async prepare(db, { body }) {
      const invitation = await openInvitation(db, seal, body.token)
      return { invitation, passwordHash: await hashPassword(body.password) }
    },
    async change(tx, { setSessionCookie, actAs }, { invitation, passwordHash }) {
      await useInvitation(tx, invitation)
      await tx
        .updateTable('portal_user')
        .set({ password_hash: passwordHash })
        .where('id', '=', invitation.user)
        .execute()
      await endSessionsOf(tx, invitation.user)
      const account = await findAccount(tx, { id: invitation.user })
      if (account === undefined) throw signedOut()
      actAs(account.actor)
      const uid = await openSession(tx, invitation.user)
      setSessionCookie(uid)
      return signedIn(account.actor, uid, 'Your password is set.')
    },
  }),

  invitation: prepared({
    prepare: (db, { body }) => openInvitation(db, seal, body.token),
    async change(tx, _asked, { user }) {
      const account = await findAccount(tx, { id: user })
      if (account === undefined) throw signedOut()
      return { email: account.actor.email, organization: account.actor.organisation?.name ?? null }
    },
  }),
})

const signedIn = (actor: Actor, uid: string, message: string) => ({
  email: actor.email,
  organization: actor.organisation?.name ?? null,
  uid,
  session: actor.role,
  message,
})
