import { SECOND_FACTOR } from '../contract/second-factor-words.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { confirmSession, endOtherSessions } from '@trainyard/users/server/sessions.ts'
import { verifyPassword } from '@trainyard/users/server/verify-password.ts'
import { type AnswerDependencies, type VerifiedAnswer, verifyCode } from './answer.ts'
import { appSecretContext } from './encryption-context.ts'
import { reserveAnswer, useChallenge } from './challenge.ts'
import {
  factorsOf,
  createFirstRecoveryCodes,
  hasFactor,
  hasSecondFactor,
  lockFactors,
  requireRemainingFactor,
} from './factors.ts'
import { enqueueFactorNotice } from './notice.ts'
import { verifyAssertion, consumeAssertion } from './passkey.ts'
import { recoveryCodesLeft, renewRecoveryCodes } from './recovery-codes.ts'
import { openSetup, sealSetup } from './setup.ts'
import { newSecret, otpauthUri, matchingTimeStep } from './totp.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'

export type SecondFactorDependencies = AnswerDependencies & { readonly jobs: JobQueue }

type OwnCalls = Omit<HandlersOf<'secondFactor'>, 'resets' | 'askReset' | 'confirmReset' | 'withdrawReset'>

export function secondFactorHandlers({ seal, relyingParty, jobs }: SecondFactorDependencies): OwnCalls {
  return {
    async read(db, { actor, secondFactorDuty }) {
      const app = await db
        .selectFrom('authenticator_app')
        .select('created_at')
        .where('user_id', '=', actor.id)
        .executeTakeFirst()
      const passkeys = await db
        .selectFrom('passkey')
        .select(['id', 'name', 'created_at', 'last_used_at'])
        .where('user_id', '=', actor.id)
        .orderBy('created_at')
        .orderBy('name')
        .execute()
      const found = await findSignInUser(db, { id: actor.id })
      const codes = await recoveryCodesLeft(db, actor.id)
      const has = hasFactor({ app: app !== undefined, passkeys: passkeys.length })
      return {
        app: app === undefined ? null : { addedAt: app.created_at.toISOString() },
        recoveryCodes: codes,
        passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
          _id: id,
          name,
          addedAt: created_at.toISOString(),
          lastUsedAt: last_used_at?.toISOString() ?? null,
        })),
        passkeysAt: relyingParty?.origin ?? null,
        required: secondFactorDuty !== null,
        confirmBy: [
          ...(found?.passwordHash == null || has ? [] : (['password'] as const)),
          ...(app !== undefined || (has && codes > 0) ? (['code'] as const) : []),
          ...(passkeys.length > 0 && relyingParty !== null ? (['passkey'] as const) : []),
        ],
      }
    },

    confirm: prepared({
      async prepare(db, { actor, sessionHash, body, address, knownBrowser, closed }): Promise<VerifiedAnswer | null> {
        const { password, code, challenge, assertion } = body
        if (password !== undefined) {
          // The second factor is checked first, so that a session of its user cannot be used to guess the password.
          if (await hasSecondFactor(db, actor.id)) throw new Problem('forbidden', SECOND_FACTOR.passwordOnly)
          const attempt = { email: actor.email, password, address, knownBrowser, closed, signedIn: true } as const
          if ((await verifyPassword(db, seal, attempt)) === null)
            throw new Problem('forbidden', SECOND_FACTOR.wrongPassword)
          return null
        }
        if (code !== undefined) {
          const answer = await verifyCode(db, seal, { user: actor.id, code, now: await portalNow(db) })
          if (answer === null) throw new Problem('forbidden', SECOND_FACTOR.wrongCode)
          return answer
        }
        const reserved = await reserveAnswer(db, challenge!, { purpose: 'proof', boundTo: sessionHash! })
        const answer =
          reserved === undefined || relyingParty === null
            ? null
            : await verifyAssertion(db, relyingParty, { user: actor.id, challenge: challenge!, assertion: assertion! })
        if (answer === null) throw new Problem('forbidden', SECOND_FACTOR.wrongPasskey)
        return {
          method: 'passkey',
          consume: async (tx) => (await useChallenge(tx, challenge!)) && (await consumeAssertion(tx, answer)),
        }
      },
      async change(tx, { actor, sessionHash }, answer) {
        await lockFactors(tx, actor.id)
        if (answer === null && (await hasSecondFactor(tx, actor.id))) {
          throw new Problem('forbidden', SECOND_FACTOR.passwordOnly)
        }
        if (answer !== null && !(await answer.consume(tx))) {
          throw new Problem(
            'forbidden',
            answer.method === 'passkey' ? SECOND_FACTOR.wrongPasskey : SECOND_FACTOR.wrongCode,
          )
        }
        if (answer?.method === 'recovery') await enqueueFactorNotice(tx, jobs, actor.id, 'recovery code used')
        await confirmSession(tx, sessionHash!)
        return { message: 'Confirmed.' }
      },
    }),

    async beginApp(tx, { actor }) {
      if ((await factorsOf(tx, actor.id)).app) throw hasApp()
      const secret = newSecret()
      return { setup: await sealSetup(tx, seal, actor.id, secret), secret, uri: otpauthUri(secret, actor.email) }
    },

    async addApp(tx, { actor, sessionHash, body }) {
      await lockFactors(tx, actor.id)
      const { secret, now } = await openSetup(tx, seal, actor.id, body.setup)
      const step = matchingTimeStep(secret, body.code, now)
      if (step === null) {
        throw new Problem(
          'malformed',
          'code does not match the code that the app shows now. Check the clock of your phone.',
        )
      }
      const added = await tx
        .insertInto('authenticator_app')
        .values({ user_id: actor.id, secret: seal.seal(secret, appSecretContext(actor.id)), last_step: step })
        .onConflict((on) => on.doNothing())
        .returning('user_id')
        .executeTakeFirst()
      if (added === undefined) throw hasApp()
      await endOtherSessions(tx, actor.id, sessionHash)
      await enqueueFactorNotice(tx, jobs, actor.id, 'app added')
      return {
        message: 'The authenticator app was added.',
        recoveryCodes: await createFirstRecoveryCodes(tx, actor.id),
      }
    },

    async removeApp(tx, { actor, secondFactorDuty }) {
      await lockFactors(tx, actor.id)
      const removed = await tx
        .deleteFrom('authenticator_app')
        .where('user_id', '=', actor.id)
        .returning('user_id')
        .executeTakeFirst()
      if (removed === undefined) throw notFound('authenticator app')
      await requireRemainingFactor(tx, actor.id, secondFactorDuty)
      await enqueueFactorNotice(tx, jobs, actor.id, 'app removed')
      return { message: 'The authenticator app was removed.' }
    },

    async renewRecoveryCodes(tx, { actor }) {
      await lockFactors(tx, actor.id)
      if (!hasFactor(await factorsOf(tx, actor.id))) {
        throw conflict('Add an authenticator app or a passkey first. Recovery codes are a backup for it.')
      }
      const recoveryCodes = await renewRecoveryCodes(tx, actor.id)
      await enqueueFactorNotice(tx, jobs, actor.id, 'recovery codes made')
      return { message: 'New recovery codes were created.', recoveryCodes }
    },
  }
}

const hasApp = () => conflict('You already have an authenticator app. Remove it before you add another one.')
