import { userForgot } from './password-reset.ts'
import { randomUUID } from 'node:crypto'
import { DEFAULT_TIME_ZONE } from '@trainyard/platform/contract/words/limits.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { Problem, signedOut } from '@trainyard/platform/server/core/errors.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { findSignInUser } from './sign-in-user.ts'
import { needsNextStep, nextStep } from './sign-in-ways.ts'
import { confirmChange } from './confirmed-change.ts'
import { laneOf, reserveAttempt } from './sign-in-attempts.ts'
import { nameOf } from './change-user.ts'
import { completeSignIn, refuseIfProviderRequired } from './complete-sign-in.ts'
import { RESET_LINK_MINUTES, recordOpening, requireValidInvitation, useInvitation } from './invitation-link.ts'
import { classesOfInvited } from './invitation-email.ts'
import { enqueuePasswordChanged } from './password-changed-email.ts'
import { hashPassword } from './passwords.ts'
import { endSession, endSessionsOf } from './sessions.ts'
import { spokenName } from '@trainyard/platform/contract/words/person-name.ts'
import { createFirstSuperadmin, isSetUpOpen, requireSetUp, SET_UP_WAITS } from './set-up.ts'
import { storePassword, passwordsNotAllowed } from './store-password.ts'
import { verifyPassword } from './verify-password.ts'
import { selectInstructedTrainings } from './queries.ts'
import { refuseWeakPassword } from './weak-password.ts'
import type { Call } from '@trainyard/platform/contract/call.ts'
import { connectedContract } from '@trainyard/platform/contract/contract.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'

export interface SessionDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
  readonly publicUrl: string
  /** True if the portal creates its machines in the emulator. */
  readonly emulated: boolean
}

/** Names of calls that no user may make in this portal. */
export const unavailableCalls = hook<{ readonly emulated: boolean }, readonly string[]>(
  'users.unavailableCalls',
  [],
  (first, second) => [...first, ...second],
)

type FirstStepCalls = Omit<HandlersOf<'session'>, 'loginSecond' | 'loginPasskey'>

export function sessionHandlers({ seal, jobs, publicUrl, emulated }: SessionDependencies): FirstStepCalls {
  const abilities = new Abilities(emulated)
  // A set-up that is over stays over, so that later calls need no query.
  let isSetUp = false
  const isWaiting = async (db: Db) => !(isSetUp ||= !(await isSetUpOpen(db)))
  return {
    login: prepared({
      async prepare(db, { body, address, knownBrowser, closed, header, setActor }) {
        const proven = await verifyPassword(db, seal, { ...body, address, knownBrowser, closed })
        if (proven === null) {
          throw new Problem('signedOut', (await isWaiting(db)) ? SET_UP_WAITS : 'The e-mail or the password is wrong.')
        }
        setActor(proven.actor)
        // This check is first, so that users do not complete a second step in vain.
        await refuseIfProviderRequired(db, proven.actor)
        await ask(db, nextStep, { ...proven, userAgent: header('user-agent'), publicUrl })
        return proven
      },
      async change(tx, context, { actor, passwordHash }) {
        // The user may have been deleted or the password changed after prepare.
        const current = await tx
          .selectFrom('portal_user')
          .select('id')
          .where('id', '=', actor.id)
          .where('password_hash', '=', passwordHash)
          .forShare()
          .executeTakeFirst()
        if (current === undefined) throw signedOut()
        return completeSignIn(tx, seal, context, { actor, passwordHash, message: 'Login successful.' })
      },
    }),

    async logout(tx, { sessionHash, setSessionCookie }) {
      if (sessionHash !== null) await endSession(tx, sessionHash)
      setSessionCookie(null)
      return { message: 'Logged out.' }
    },

    // Every page makes this call. It needs no query while the session is cached, except for instructors.
    async me(db, { actor, sessionUser, secondFactorDuty: duty }) {
      const { name, leadsClasses } = sessionUser!
      const instructorOf = leadsClasses
        ? (await selectInstructedTrainings(db, actor.id)).rows.map(({ name: training }) => training)
        : []
      return {
        email: actor.email,
        name,
        organization: actor.organisation?.name ?? null,
        userType: actor.role,
        logo: actor.organisation?.logo ?? null,
        timeZone: actor.organisation?.timeZone ?? DEFAULT_TIME_ZONE,
        abilities: await abilities.of(db, actor.role, instructorOf.length > 0),
        instructorOf,
        secondFactorDue:
          duty === null || duty.state === 'met' ? null : { at: duty.due.toISOString(), over: duty.state === 'overdue' },
      }
    },

    setPassword: prepared({
      async prepare(db, { body, closed }) {
        const invitation = await requireValidInvitation(db, seal, body.token, ['invitation', 'password'])
        const invited = await findSignInUser(db, { id: invitation.user })
        if (invited === undefined) throw signedOut()
        if (!invited.passwordsAllowed) throw passwordsNotAllowed()
        const { email, organisation } = invited.actor
        refuseWeakPassword(body.password, { email, organisation: organisation?.name })
        return { invitation, passwordHash: await hashPassword(body.password, closed) }
      },
      async change(tx, context, { invitation, passwordHash }) {
        await useInvitation(tx, invitation)
        if (!(await storePassword(tx, invitation.user, passwordHash))) throw signedOut()
        const keys = { count: await endSessionsOf(tx, invitation.user), kept: false }
        if (invitation.purpose === 'password') await enqueuePasswordChanged(tx, jobs, invitation.user, keys, context)
        const found = await findSignInUser(tx, { id: invitation.user })
        if (found === undefined) throw signedOut()
        const { actor } = found
        // Access to the mailbox alone must not sign in a user who needs more than a password.
        if (await ask(tx, needsNextStep, actor.id)) {
          context.setActor(actor)
          return { email: actor.email, uid: null, message: 'Your password is set. Please log in with it.' }
        }
        return completeSignIn(tx, seal, context, { actor, passwordHash, message: 'Your password is set.' })
      },
    }),

    async isSetUpOpen(db) {
      const open = await isWaiting(db)
      return { open, message: open ? SET_UP_WAITS : null }
    },

    setUp: prepared({
      async prepare(db, { body: { code, email, password }, closed }) {
        await requireSetUp(db, seal, code)
        refuseWeakPassword(password, { email, organisation: null })
        return { passwordHash: await hashPassword(password, closed) }
      },
      async change(tx, context, { passwordHash }) {
        const { code, email, name, timeZone } = context.body
        const id = await createFirstSuperadmin(tx, seal, code, { email, name, passwordHash, timeZone })
        const found = await findSignInUser(tx, { id })
        return completeSignIn(tx, seal, context, {
          actor: found!.actor,
          passwordHash,
          message: 'The portal is set up.',
        })
      },
    }),

    confirmChange: prepared({
      prepare: (db, { body }) => requireValidInvitation(db, seal, body.token, ['address', 'provider']),
      async change(tx, { auditChange }, link) {
        auditChange(null, { user: link.user, purpose: link.purpose })
        return { message: await confirmChange(tx, jobs, link) }
      },
    }),

    // The handler does the same work for every address. The job handles the differences, so that the response time
    // reveals nothing.
    forgot: prepared({
      prepare: (db, { body }) => reserveAttempt(db, laneOf(seal, 'forgotten lane', body.email)),
      async change(tx, { body }) {
        await jobs.enqueue(tx, userForgot, [{ email: body.email, link: randomUUID() }])
        return { message: RESET_LINK_SENT }
      },
    }),

    invitation: prepared({
      prepare: (db, { body }) => requireValidInvitation(db, seal, body.token),
      async change(tx, { body: { timeZone } }, { id, user, purpose, newEmail }) {
        const found = await findSignInUser(tx, { id: user })
        if (found === undefined) throw signedOut()
        await recordOpening(tx, { invitation: id, user, timeZone })
        const name = await nameOf(tx, user)
        const [next] = (await classesOfInvited(tx, user, publicUrl)).classes
        return {
          email: found.actor.email,
          name: name && spokenName(name),
          organization: found.actor.organisation?.name ?? null,
          purpose,
          newEmail,
          nextClass:
            next === undefined || purpose !== 'invitation'
              ? null
              : {
                  trainingName: next.training,
                  startsAt: next.startsAt?.toISOString() ?? null,
                  readyAt: next.readyAt?.toISOString() ?? null,
                },
        }
      },
    }),
  }
}

const RESET_LINK_SENT = `If there is an account for this e-mail, a link to choose a new password is on its way to it. The link works for ${RESET_LINK_MINUTES} minutes.`

/** Names of the calls that a user may make. Computed once per role. */
class Abilities {
  readonly #emulated: boolean
  readonly #known = new Map<string, string[]>()

  constructor(emulated: boolean) {
    this.#emulated = emulated
  }

  async of(db: Db, role: Role, isInstructor: boolean): Promise<string[]> {
    const key = `${role} ${isInstructor}`
    let names = this.#known.get(key)
    if (names === undefined) {
      const unavailable = await ask(db, unavailableCalls, { emulated: this.#emulated })
      names = abilitiesOf(role, isInstructor).filter((name) => !unavailable.includes(name))
      this.#known.set(key, names)
    }
    return names
  }
}

const abilitiesOf = (role: Role, isInstructor: boolean): string[] =>
  Object.entries(connectedContract()).flatMap(([module, calls]) =>
    Object.entries(calls as Record<string, Call>)
      .filter(([, { kind }]) => kind !== 'signed')
      .filter(
        ([, { for: roles, instructors }]) =>
          !Array.isArray(roles) || roles.includes(role) || (instructors === true && isInstructor),
      )
      .map(([name]) => `${module}.${name}`),
  )
