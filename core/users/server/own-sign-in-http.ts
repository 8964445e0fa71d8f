import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { browserName } from './browser-name.ts'
import { rememberBrowser } from './known-browser.ts'
import { enqueuePasswordChanged, sessionsEnded } from './password-changed-email.ts'
import { hashPassword } from './passwords.ts'
import { countKeysOf, endOtherSessions, endSessionOf, revokeKeysOf, sessionsOf } from './sessions.ts'
import { storePassword, passwordsNotAllowed } from './store-password.ts'
import { verifyPassword } from './verify-password.ts'
import { refuseWeakPassword } from './weak-password.ts'

interface Dependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
}

export const accountHandlers = ({ seal, jobs }: Dependencies): HandlersOf<'account'> => ({
  async sessions(db, { actor, sessionHash }) {
    const sessions = await sessionsOf(db, actor.id)
    return {
      apiKeys: await countKeysOf(db, actor.id),
      sessions: sessions.map(({ id, user_agent, address, created_at, seen_at, token_hash }) => ({
        id,
        browser: browserName(user_agent),
        address,
        since: created_at.toISOString(),
        seen: seen_at.toISOString(),
        present: sessionHash !== null && token_hash.equals(sessionHash),
      })),
    }
  },

  async endSession(tx, { actor, body }) {
    if (!(await endSessionOf(tx, actor.id, body.id))) throw notFound('session')
    return { message: 'The session was ended.' }
  },

  async endSessions(tx, { actor, sessionHash }) {
    const ended = await endOtherSessions(tx, actor.id, sessionHash)
    const message = ended === 1 ? 'One other session was ended.' : `${ended} other sessions were ended.`
    return { message: (await countKeysOf(tx, actor.id)) > 0 ? `${message} Your API keys are still valid.` : message }
  },

  changePassword: prepared({
    async prepare(db, { actor, body, address, knownBrowser, closed }) {
      const { email, organisation } = actor
      refuseWeakPassword(body.newPassword, { email, organisation: organisation?.name })
      if (body.newPassword === body.password)
        throw new Problem('malformed', 'newPassword must differ from the current password.')
      const attempt = { email, password: body.password, address, knownBrowser, closed, signedIn: true } as const
      const proven = await verifyPassword(db, seal, attempt)
      if (proven === null) throw new Problem('forbidden', 'The current password is wrong.')
      if (!proven.passwordsAllowed) throw passwordsNotAllowed()
      return { oldPasswordHash: proven.passwordHash, passwordHash: await hashPassword(body.newPassword, closed) }
    },
    async change(tx, context, { oldPasswordHash, passwordHash }) {
      const { id: user, email } = context.actor
      if (!(await storePassword(tx, user, passwordHash, oldPasswordHash)))
        throw conflict('The password was changed in the meantime. Please try again.')
      await endOtherSessions(tx, user, context.sessionHash)
      const kept = context.body.keepKeys === true
      const keys = { count: await (kept ? countKeysOf : revokeKeysOf)(tx, user), kept }
      context.rememberBrowser(rememberBrowser(seal, context.knownBrowser, { email, passwordHash }))
      await enqueuePasswordChanged(tx, jobs, user, keys, context)
      return { message: `Your password was changed. ${sessionsEnded(keys)}` }
    },
  }),
})
