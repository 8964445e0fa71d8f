import { HOUR, type Limit } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { CHANGE_REQUEST_STATES, REQUESTED_HOURS_MAX } from './change-request-words.ts'
import { email, instant, name, reasonOrElse, trainingRef } from '@trainyard/platform/contract/shapes.ts'

const changeRequests: Limit = { name: 'change-requests', per: 'person', max: 20, seconds: 24 * HOUR }

const reason = reasonOrElse('Enter why.')

function requestedMinutes(kind: keyof typeof REQUESTED_HOURS_MAX) {
  const most = REQUESTED_HOURS_MAX[kind]
  const sentence = `Enter hours, at most ${most.toLocaleString('en-IN')}.`
  return z
    .int(sentence)
    .min(1, sentence)
    .max(most * 60, sentence)
}

const requestSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hours'), minutes: z.int(), machine: z.string(), training: z.string() }),
  z.object({ kind: z.literal('quota'), minutes: z.int(), training: z.string() }),
  z.object({ kind: z.literal('admin'), email: z.string() }),
])

const changeRequestRow = z.object({
  id: z.uuid(),
  organization: z.string(),
  subject: requestSubject,
  reason: z.string(),
  state: z.enum(CHANGE_REQUEST_STATES),
  by: z.string(),
  at: instant,
  decidedBy: z.string().nullable(),
  /** Reason of a refusal. */
  answer: z.string().nullable(),
})
export type ChangeRequest = z.output<typeof changeRequestRow>

export const changeRequest = {
  list: call({
    route: 'GET /requests',
    for: ['user', 'admin', 'superadmin'],
    does: "Lists the user's newest 50 requests, the oldest 200 open requests that wait for the user's decision, and the user's machines with a limit of hours.",
    reply: z.object({
      mine: z.array(changeRequestRow),
      toDecide: z.array(changeRequestRow),
      machines: z.array(z.string()),
    }),
  }),
  askHours: call({
    route: 'POST /requests/hours',
    for: ['user'],
    does: "Requests more hours for the user's machine. The training's instructors and the admins decide. 409 while another request for the machine is open.",
    audit: 'requested more hours for a machine',
    limit: changeRequests,
    body: z.strictObject({ vmName: name, minutes: requestedMinutes('hours'), reason }),
    once: true,
  }),
  askQuota: call({
    route: 'POST /requests/quota',
    for: ['admin'],
    does: "Requests more hours for a training's machines. The superadmins decide. 409 while another request for the training is open.",
    audit: 'requested more quota for a training',
    limit: changeRequests,
    body: trainingRef.extend({ minutes: requestedMinutes('quota'), reason }),
    once: true,
  }),
  askAdmin: call({
    route: 'POST /requests/admin',
    for: ['admin'],
    does: "Requests another admin for the user's organisation. The superadmins decide. 409 while another request for the address is open.",
    audit: 'requested another admin',
    limit: changeRequests,
    body: z.strictObject({ email, reason }),
    once: true,
  }),
  withdraw: call({
    route: 'POST /requests/withdraw',
    for: ['user', 'admin'],
    does: "Withdraws the user's own open request.",
    audit: 'withdrew a request',
    body: z.strictObject({ id: z.uuid('must be the id of a request') }),
  }),
  decide: call({
    route: 'POST /requests/decide',
    for: ['admin', 'superadmin'],
    instructors: true,
    does: 'Approves an open request, which makes the change, or refuses it with a reason. A request for an admin is approved once that admin has been invited. The user who asked receives an e-mail.',
    audit: 'decided a request',
    body: z
      .strictObject({
        id: z.uuid('must be the id of a request'),
        /** Required for superadmins. */
        organization: name.optional(),
        decision: z.enum(['approved', 'refused']),
        reason: reasonOrElse('Enter why it is refused.').optional(),
      })
      .refine(
        ({ decision, reason }) => (decision === 'refused') === (reason !== undefined),
        'reason must be given for a refusal, and only for it',
      ),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    changeRequest: typeof changeRequest
  }
}
