import { SECOND_FACTOR } from '../contract/second-factor-words.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { completeSignIn } from '@trainyard/users/server/complete-sign-in.ts'
import { type AnswerDependencies, verifySecondFactor, wrongAnswer } from './answer.ts'
import { browserBinding, reserveAnswer, passwordDigest, useChallenge } from './challenge.ts'
import { enqueueFactorNotice } from './notice.ts'
import { verifyAssertion, consumeAssertion } from './passkey.ts'

const expired = () => new Problem('signedOut', SECOND_FACTOR.expired)

export function secondLoginHandlers(
  parts: AnswerDependencies & { readonly jobs: JobQueue },
): Pick<HandlersOf<'session'>, 'loginSecond' | 'loginPasskey'> {
  const { seal, relyingParty, jobs } = parts
  return {
    loginSecond: prepared({
      async prepare(db, { body, header, setActor }) {
        const boundTo = browserBinding(header('user-agent'))
        const reserved = await reserveAnswer(db, body.challenge, { purpose: 'second step', boundTo })
        if (reserved === undefined) throw expired()
        const found = await findSignInUser(db, { id: reserved.user! })
        // If the password was changed between the two steps, the sign-in started with an outdated one.
        if (found === undefined || found.passwordHash === null) throw expired()
        const { passwordHash } = found
        if (!passwordDigest(passwordHash).equals(reserved.passwordDigest!)) throw expired()
        setActor(found.actor)
        const right = await verifySecondFactor(db, parts, { user: found.actor.id, answer: body, now: reserved.now })
        if (right === null) throw wrongAnswer(body, reserved.hasAttemptsLeft)
        return { actor: found.actor, passwordHash, right }
      },
      async change(tx, context, { actor, passwordHash, right }) {
        // The user may have been deleted or the password changed after prepare.
        const found = await tx
          .selectFrom('portal_user')
          .select('id')
          .where('id', '=', actor.id)
          .where('password_hash', '=', passwordHash)
          .forShare()
          .executeTakeFirst()
        if (found === undefined || !(await useChallenge(tx, context.body.challenge))) throw expired()
        if (!(await right.consume(tx))) throw wrongAnswer(context.body, true)
        if (right.method === 'recovery') await enqueueFactorNotice(tx, jobs, actor.id, 'recovery code used')
        return completeSignIn(tx, seal, context, { actor, passwordHash, message: 'Login successful.' })
      },
    }),

    loginPasskey: prepared({
      async prepare(db, { body: { challenge, assertion }, header, setActor }) {
        const boundTo = browserBinding(header('user-agent'))
        const reserved = await reserveAnswer(db, challenge, { purpose: 'passkey login', boundTo })
        if (reserved === undefined) throw expired()
        const answer = relyingParty && (await verifyAssertion(db, relyingParty, { user: null, challenge, assertion }))
        if (answer === null) throw new Problem('signedOut', SECOND_FACTOR.wrongPasskey)
        const found = await findSignInUser(db, { id: answer.user })
        if (found === undefined) throw new Problem('signedOut', SECOND_FACTOR.wrongPasskey)
        setActor(found.actor)
        return { found, answer }
      },
      async change(tx, context, { found: { actor, passwordHash }, answer }) {
        if (!(await useChallenge(tx, context.body.challenge))) throw expired()
        if (!(await consumeAssertion(tx, answer))) throw new Problem('signedOut', SECOND_FACTOR.wrongPasskey)
        return completeSignIn(tx, seal, context, { actor, passwordHash, message: 'Login successful.' })
      },
    }),
  }
}
