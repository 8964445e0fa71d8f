import { normaliseEmail } from '@trainyard/contract/words/email.ts'
import { DEFAULT_TIME_ZONE } from '@trainyard/contract/words/limits.ts'
import { type HandlersOf, prepared } from '../../core/handler.ts'
import { networkOf } from '../../core/network.ts'
import { Problem, signedOut } from '../../core/errors.ts'
import type { Seal } from '../../secrets/seal.ts'
import { abilitiesOf } from './abilities.ts'
import { findAccount } from './account.ts'
import { giveBackAttempt, lookUpInTurn, refuseWithoutAttempts, reserveAttempt } from './attempts.ts'
import { enter } from './enter.ts'
import { openInvitation, useInvitation } from './invitation.ts'
import { isOfPassword, knownBrowser as browserOf } from './known-browser.ts'
import { hashInTurn, hashPassword, isPassword } from './passwords.ts'
import { endSession, endSessionsOf } from './sessions.ts'
import { refuseWeak } from './weak-password.ts'

export function sessionHandlers({ seal }: { readonly seal: Seal }): HandlersOf<'session'> {
  return {
    login: prepared({
      async prepare(db, { body, address, knownBrowser }) {
        const email = normaliseEmail(body.email)
        const mark = browserOf(seal, knownBrowser, email)
        const who = { known: mark !== null, address: networkOf(address), account: email }
        // Whoever has no attempt left waits for no turn to have a password hashed.
        const { account, lane } = await lookUpInTurn(who, async () => {
          const account = await findAccount(db, { email })
          // A browser that its person has signed in with is tried apart from all others, see docs/decisions/081.
          const browser = mark !== null && isOfPassword(seal, mark, account?.passwordHash ?? '') ? mark.nonce : null
          const lane = Buffer.from(seal.token('login lane', browser ?? email), 'base64url')
          await refuseWithoutAttempts(db, lane)
          return { account, lane }
        })
        const right = await hashInTurn(who, async () => {
          await reserveAttempt(db, lane)
          return isPassword(body.password, account?.passwordHash)
        })
        if (right) await giveBackAttempt(db, lane)
        if (account === undefined || !right) throw new Problem('signedOut', 'The e-mail or the password is wrong.')
        return { actor: account.actor, passwordHash: account.passwordHash! }
      },
      async change(tx, asked, { actor, passwordHash }) {
        // The account as it is now, locked: a session must not outlive a user deleted, or a password changed, meanwhile.
        const stands = await tx
          .selectFrom('portal_user')
          .select('id')
          .where('id', '=', actor.id)
          .where('password_hash', '=', passwordHash)
          .forShare()
          .executeTakeFirst()
        if (stands === undefined) throw signedOut()
        return enter(tx, seal, asked, { actor, passwordHash, message: 'Login successful.' })
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
        const invited = await findAccount(db, { id: invitation.user })
        if (invited === undefined) throw signedOut()
        const { email, organisation } = invited.actor
        refuseWeak(body.password, { email, organisation: organisation?.name ?? null })
        return { invitation, passwordHash: await hashPassword(body.password) }
      },
      async change(tx, asked, { invitation, passwordHash }) {
        await useInvitation(tx, invitation)
        await tx
          .updateTable('portal_user')
          .set({ password_hash: passwordHash })
          .where('id', '=', invitation.user)
          .execute()
        await endSessionsOf(tx, invitation.user)
        const account = await findAccount(tx, { id: invitation.user })
        if (account === undefined) throw signedOut()
        return enter(tx, seal, asked, { actor: account.actor, passwordHash, message: 'Your password is set.' })
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
  }
}
