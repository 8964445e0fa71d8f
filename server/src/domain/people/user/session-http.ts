import { randomUUID } from 'node:crypto'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import { DEFAULT_TIME_ZONE } from '@trainyard/contract/words/limits.ts'
import type { Db } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { type HandlersOf, prepared } from '../../../core/handler.ts'
import { Problem, signedOut } from '../../../core/errors.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { abilitiesOf } from './abilities.ts'
import { findAccount } from './account.ts'
import { laneOf, reserveAttempt } from './attempts.ts'
import { enter } from './enter.ts'
import { LINK_MINUTES, openInvitation, useInvitation } from './invitation.ts'
import { refuseWhereProviderAlone } from './provider-alone.ts'
import { putPasswordChanged } from './password-changed.ts'
import { hashPassword } from './passwords.ts'
import { nameOf } from './people.ts'
import { endSession, endSessionsOf } from './sessions.ts'
import { storePassword, withoutPasswords } from './store-password.ts'
import { tryPassword } from './try-password.ts'
import { refuseWeak } from './weak-password.ts'

export interface SessionParts {
  readonly seal: Seal
  readonly jobs: Jobs
  /** Throws a Problem that requests a second factor if the user has one. */
  readonly askSecondStep: (
    db: Db,
    step: { readonly actor: Actor; readonly passwordHash: string; readonly userAgent: string | undefined },
  ) => Promise<void>
  readonly hasSecondFactor: (db: Db, user: UserId) => Promise<boolean>
}

type FirstStepCalls = Omit<HandlersOf<'session'>, 'loginSecond' | 'loginPasskey'>

export function sessionHandlers({ seal, jobs, askSecondStep, hasSecondFactor }: SessionParts): FirstStepCalls {
  return {
    login: prepared({
      async prepare(db, { body, address, knownBrowser, header, actAs }) {
        const proven = await tryPassword(db, seal, { ...body, address, knownBrowser })
        if (proven === null) throw new Problem('signedOut', 'The e-mail or the password is wrong.')
        actAs(proven.actor)
        // Checked first, so that users are not asked for a second factor in vain.
        await refuseWhereProviderAlone(db, proven.actor)
        await askSecondStep(db, { ...proven, userAgent: header('user-agent') })
        return proven
      },
      async change(tx, asked, { actor, passwordHash }) {
        // Locks the account and checks it again, because the user may have been deleted or the password changed after
        // prepare.
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

    me: async (db, { actor, secondFactorDuty: duty }) => ({
      email: actor.email,
      name: await nameOf(db, actor.id),
      organization: actor.organisation?.name ?? null,
      userType: actor.role,
      logo: actor.organisation?.logo ?? null,
      timeZone: actor.organisation?.timeZone ?? DEFAULT_TIME_ZONE,
      abilities: abilitiesOf(actor.role),
      secondFactorDue:
        duty === null || duty.state === 'met' ? null : { at: duty.due.toISOString(), over: duty.state === 'overdue' },
    }),

    setPassword: prepared({
      async prepare(db, { body }) {
        const invitation = await openInvitation(db, seal, body.token)
        const invited = await findAccount(db, { id: invitation.user })
        if (invited === undefined) throw signedOut()
        if (!invited.passwordsAllowed) throw withoutPasswords()
        const { email, organisation } = invited.actor
        refuseWeak(body.password, { email, organisation: organisation?.name })
        return { invitation, passwordHash: await hashPassword(body.password) }
      },
      async change(tx, asked, { invitation, passwordHash }) {
        await useInvitation(tx, invitation)
        if (!(await storePassword(tx, invitation.user, passwordHash))) throw signedOut()
        await endSessionsOf(tx, invitation.user)
        if (invitation.purpose === 'password') await putPasswordChanged(tx, jobs, invitation.user, asked)
        const account = await findAccount(tx, { id: invitation.user })
        if (account === undefined) throw signedOut()
        const { actor } = account
        // Access to the mailbox alone must not open an account that has a second factor.
        if (await hasSecondFactor(tx, actor.id)) {
          asked.actAs(actor)
          return { email: actor.email, uid: null, message: 'Your password is set. Please log in with it.' }
        }
        return enter(tx, seal, asked, { actor, passwordHash, message: 'Your password is set.' })
      },
    }),

    // Does the same work for every address. The job handles the differences, so that timing reveals nothing.
    forgot: prepared({
      prepare: (db, { body }) => reserveAttempt(db, laneOf(seal, 'forgotten lane', body.email)),
      async change(tx, { body }) {
        await jobs.put(tx, 'user.forgot', [{ email: body.email, link: randomUUID() }])
        return { message: FORGOTTEN }
      },
    }),

    invitation: prepared({
      prepare: (db, { body }) => openInvitation(db, seal, body.token),
      async change(tx, _asked, { user, purpose }) {
        const account = await findAccount(tx, { id: user })
        if (account === undefined) throw signedOut()
        return { email: account.actor.email, organization: account.actor.organisation?.name ?? null, purpose }
      },
    }),
  }
}

const FORGOTTEN = `If there is an account for this e-mail, a link to choose another password is on its way to it. It works for ${LINK_MINUTES} minutes.`
