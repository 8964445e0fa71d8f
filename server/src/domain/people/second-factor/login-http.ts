import { SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import { type HandlersOf, prepared } from '../../../core/handler.ts'
import { Problem } from '../../../core/errors.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { findAccount } from '../user/account.ts'
import { enter } from '../user/enter.ts'
import { type AnswerParts, readSecondAnswer, wrongAnswer } from './answer.ts'
import { browserBound, hearAnswer, passwordDigest, useChallenge } from './challenge.ts'
import { tellOwner } from './notice.ts'
import { readAnswer, takeAnswer } from './passkey.ts'

const runOut = () => new Problem('signedOut', SECOND_FACTOR.runOut)

/** Handlers of sign-ins with a second factor, or with a passkey instead of a password. */
export function secondLoginHandlers(
  parts: AnswerParts & { readonly jobs: Jobs },
): Pick<HandlersOf<'session'>, 'loginSecond' | 'loginPasskey'> {
  const { seal, relyingParty, jobs } = parts
  return {
    loginSecond: prepared({
      async prepare(db, { body, header, actAs }) {
        const boundTo = browserBound(header('user-agent'))
        const heard = await hearAnswer(db, body.challenge, { purpose: 'second step', boundTo })
        if (heard === undefined) throw runOut()
        const account = await findAccount(db, { id: heard.user! })
        // If the password was changed between the two steps, the sign-in started with an outdated one.
        if (account === undefined || account.passwordHash === null) throw runOut()
        const { passwordHash } = account
        if (!passwordDigest(passwordHash).equals(heard.passwordDigest!)) throw runOut()
        actAs(account.actor)
        const right = await readSecondAnswer(db, parts, { user: account.actor.id, answer: body, now: heard.now })
        if (right === null) throw wrongAnswer(body, heard.hearsMore)
        return { actor: account.actor, passwordHash, right }
      },
      async change(tx, asked, { actor, passwordHash, right }) {
        // Locks the account and checks it again, because the user may have been deleted or the password changed after
        // prepare.
        const stands = await tx
          .selectFrom('portal_user')
          .select('id')
          .where('id', '=', actor.id)
          .where('password_hash', '=', passwordHash)
          .forShare()
          .executeTakeFirst()
        if (stands === undefined || !(await useChallenge(tx, asked.body.challenge))) throw runOut()
        if (!(await right.take(tx))) throw wrongAnswer(asked.body, true)
        if (right.way === 'recovery') await tellOwner(tx, jobs, actor.id, 'recovery code used')
        return enter(tx, seal, asked, { actor, passwordHash, message: 'Login successful.' })
      },
    }),

    loginPasskey: prepared({
      async prepare(db, { body: { challenge, assertion }, header, actAs }) {
        const boundTo = browserBound(header('user-agent'))
        const heard = await hearAnswer(db, challenge, { purpose: 'passkey login', boundTo })
        if (heard === undefined) throw runOut()
        const answer = relyingParty && (await readAnswer(db, relyingParty, { user: null, challenge, assertion }))
        if (answer === null) throw new Problem('signedOut', SECOND_FACTOR.wrongPasskey)
        const account = await findAccount(db, { id: answer.user })
        if (account === undefined) throw new Problem('signedOut', SECOND_FACTOR.wrongPasskey)
        actAs(account.actor)
        return { account, answer }
      },
      async change(tx, asked, { account: { actor, passwordHash }, answer }) {
        if (!(await useChallenge(tx, asked.body.challenge))) throw runOut()
        if (!(await takeAnswer(tx, answer))) throw new Problem('signedOut', SECOND_FACTOR.wrongPasskey)
        return enter(tx, seal, asked, { actor, passwordHash, message: 'Login successful.' })
      },
    }),
  }
}
