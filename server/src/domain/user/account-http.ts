import { notFound } from '../../core/errors.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { browserName } from './browser-name.ts'
import { endOtherSessions, endSessionOf, sessionsOf } from './sessions.ts'

export const accountHandlers: HandlersOf<'account'> = {
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
}
