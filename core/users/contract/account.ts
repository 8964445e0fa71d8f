import * as limits from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { instant, newPassword } from '@trainyard/platform/contract/shapes.ts'
import { PASSWORD_LENGTH_MAX } from '@trainyard/platform/contract/words/limits.ts'

export const account = {
  sessions: call({
    route: 'GET /user/sessions',
    for: 'signed in',
    does: "Lists the caller's sessions, most recently used first, at most 100.",
    before: ['second factor'],
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
  endSession: call({
    route: 'DELETE /user/session',
    for: 'signed in',
    does: "Ends one of the caller's sessions.",
    audit: 'ended one of their sessions',
    before: ['second factor'],
    body: z.strictObject({ id: z.uuid('must be the id of a session') }),
  }),
  endSessions: call({
    route: 'DELETE /user/sessions',
    for: 'signed in',
    does: 'Ends all sessions of the caller except the current one.',
    audit: 'ended their other sessions',
    before: ['second factor'],
  }),
  changePassword: call({
    route: 'POST /user/password/change',
    for: 'signed in',
    does: "Changes the caller's password and ends their other sessions and, unless they are kept, their API keys. 403 if the current password is wrong.",
    audit: 'changed their password',
    limit: limits.ownPasswords,
    before: ['new password', 'second factor'],
    body: z.strictObject({
      password: z.string().min(1, 'Enter your current password.').max(PASSWORD_LENGTH_MAX),
      newPassword,
      keepKeys: z.boolean().optional(),
    }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const operatorActions = {
  'operator.superadmin': 'created a superadmin, or gave one a new link',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    account: typeof account
  }
}
