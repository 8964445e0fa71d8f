import { z } from 'zod'
import { defineCall } from '../call.ts'
import { instant, message, newPassword, password } from './shapes.ts'

/** Calls that everybody may make about their own account. */
export const account = {
  sessions: defineCall({
    method: 'GET',
    path: '/user/sessions',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: "One's own sessions, the last seen first, at most the 100 last seen.",
    reply: z.object({
      sessions: z.array(
        z.object({
          id: z.string(),
          /** In words: `Chrome on Windows`. */
          browser: z.string(),
          /** Address that it was last seen from; null: it was not told. */
          address: z.string().nullable(),
          since: instant,
          /** To the minute: it is written down no more often. */
          seen: instant,
          /** True of the session that asks. */
          present: z.boolean(),
        }),
      ),
    }),
  }),
  endSession: defineCall({
    method: 'DELETE',
    path: '/user/session',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: "Ends one of one's own sessions.",
    body: z.strictObject({ id: z.uuid('must be the id of a session') }),
    reply: message,
  }),
  endSessions: defineCall({
    method: 'DELETE',
    path: '/user/sessions',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: "Ends all of one's own sessions but the one that asks.",
    reply: message,
  }),
  changePassword: defineCall({
    method: 'POST',
    path: '/user/password/change',
    roles: 'signed in',
    summary: 'Changes the password of who knows the present one, and ends all their other sessions. 403: it is wrong.',
    body: z.strictObject({ password, newPassword }),
    reply: message,
    settlesAccount: true,
    beforeSecondFactor: true,
  }),
}
