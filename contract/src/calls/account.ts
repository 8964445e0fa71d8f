import { z } from 'zod'
import { defineCall } from '../call.ts'
import { instant, message, newPassword, password } from './shapes.ts'

export const account = {
  sessions: defineCall({
    method: 'GET',
    path: '/user/sessions',
    roles: 'signed in',
    freshProof: 'none: reads only',
    allowedBeforeSecondFactor: true,
    summary: "Lists the caller's sessions, most recently used first, at most 100.",
    reply: z.object({
      /** Number of the caller's API keys, which a change of the password can end. */
      apiKeys: z.int(),
      sessions: z.array(
        z.object({
          id: z.string(),
          browser: z.string(),
          address: z.string().nullable(),
          since: instant,
          /** Accurate to the minute, because it is stored at most once a minute. */
          seen: instant,
          present: z.boolean(),
        }),
      ),
    }),
  }),
  endSession: defineCall({
    method: 'DELETE',
    path: '/user/session',
    roles: 'signed in',
    freshProof: 'none: only ends own sessions',
    allowedBeforeSecondFactor: true,
    summary: "Ends one of the caller's sessions.",
    body: z.strictObject({ id: z.uuid('must be the id of a session') }),
    reply: message,
  }),
  endSessions: defineCall({
    method: 'DELETE',
    path: '/user/sessions',
    roles: 'signed in',
    freshProof: 'none: only ends own sessions',
    allowedBeforeSecondFactor: true,
    summary: 'Ends all sessions of the caller except the current one.',
    reply: message,
  }),
  changePassword: defineCall({
    method: 'POST',
    path: '/user/password/change',
    roles: 'signed in',
    freshProof: 'none: the body contains the current password',
    summary:
      "Changes the caller's password and ends their other sessions and, unless they are kept, their API keys. 403 if the current password is wrong.",
    body: z.strictObject({ password, newPassword, keepKeys: z.boolean().optional() }),
    reply: message,
    allowedBeforePasswordChange: true,
    allowedBeforeSecondFactor: true,
  }),
}
