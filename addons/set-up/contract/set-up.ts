import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { instant } from '@trainyard/platform/contract/shapes.ts'

const roles = ['superadmin'] as const

/** Each try makes calls to every provider, or sends an e-mail. */
const tries: Limit = { name: 'set-up-tries', per: 'person', max: 6, seconds: MINUTE }

/** `unanswered`: no worker answered in time. */
const state = z.enum(['running', 'answered', 'unanswered'])

const check = z.object({
  /** The checked part, such as a provider. */
  group: z.string(),
  name: z.string(),
  state: z.enum(['green', 'red', 'not used', 'not run']),
  findings: z.array(z.object({ what: z.string(), todo: z.string().nullable() })),
})
export const connectionsAnswer = z.object({ checks: z.array(check) })
export type ConnectionCheck = z.output<typeof check>

export const mailAnswer = z.object({ accepted: z.boolean(), sentence: z.string() })

const tried = <Answer extends z.ZodType>(answer: Answer) =>
  z.object({ at: instant, state, answer: answer.nullable() }).nullable()

export const setUp = {
  read: call({
    route: 'GET /admin/set-up',
    for: roles,
    does: 'Returns the last try of the connections and of the mail server. While one is running, its answer is that of the try before.',
    reply: z.object({ connections: tried(connectionsAnswer), mail: tried(mailAnswer) }),
  }),
  tryConnections: call({
    route: 'POST /admin/set-up/connections',
    for: roles,
    proof: 'fresh',
    does: 'Lets a worker check the settings and the connections to the providers, as npm run doctor does.',
    audit: 'tried the connections of the portal',
    limit: tries,
  }),
  tryMail: call({
    route: 'POST /admin/set-up/mail',
    for: roles,
    proof: 'fresh',
    does: 'Lets a worker send a test e-mail to the caller, once.',
    audit: 'sent a test e-mail',
    limit: tries,
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    setUp: typeof setUp
  }
}
