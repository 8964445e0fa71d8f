import { conflict, notFound, Problem } from '../../../core/errors.ts'
import { type HandlersOf, prepared } from '../../../core/handler.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { browserName } from './browser-name.ts'
import { rememberBrowser } from './known-browser.ts'
import { putPasswordChanged } from './password-changed.ts'
import { hashPassword } from './passwords.ts'
import { endOtherSessions, endSessionOf, sessionsOf } from './sessions.ts'
import { storePassword, withoutPasswords } from './store-password.ts'
import { tryPassword } from './try-password.ts'
import { refuseWeak } from './weak-password.ts'

interface AccountParts {
  readonly seal: Seal
  readonly jobs: Jobs
}

export const accountHandlers = ({ seal, jobs }: AccountParts): HandlersOf<'account'> => ({
  async sessions(db, { actor, sessionHash }) {
    const sessions = await sessionsOf(db, actor.id)
    return {
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
    return { message: 'The session is ended.' }
  },

  async endSessions(tx, { actor, sessionHash }) {
    const ended = await endOtherSessions(tx, actor.id, sessionHash)
    return { message: ended === 1 ? 'One other session is ended.' : `${ended} other sessions are ended.` }
  },

  changePassword: prepared({
    async prepare(db, { actor, body, address, knownBrowser }) {
      const { email, organisation } = actor
      refuseWeak(body.newPassword, { email, organisation: organisation?.name })
      const tried = { email, password: body.password, address, knownBrowser, signedIn: true } as const
      const proven = await tryPassword(db, seal, tried)
      if (proven === null) throw new Problem('forbidden', 'The present password is wrong.')
      if (!proven.passwordsAllowed) throw withoutPasswords()
      if (body.newPassword === body.password) throw new Problem('malformed', 'newPassword must be another one.')
      return { before: proven.passwordHash, passwordHash: await hashPassword(body.newPassword) }
    },
    async change(tx, asked, { before, passwordHash }) {
      const { id: user, email } = asked.actor
      if (!(await storePassword(tx, user, passwordHash, before))) throw conflict('The password was changed meanwhile.')
      await endOtherSessions(tx, user, asked.sessionHash)
      asked.rememberBrowser(rememberBrowser(seal, asked.knownBrowser, { email, passwordHash }))
      await putPasswordChanged(tx, jobs, user, asked)
      return { message: 'Your password is changed. You are signed out everywhere else.' }
    },
  }),
})
