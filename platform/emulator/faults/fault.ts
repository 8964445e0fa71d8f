import { z } from 'zod'

const kinds = [
  /** The reply has status 429 and a Retry-After header. The call has no effect. */
  'throttle',
  /** No capacity for the size: SkuNotAvailable on a create, AllocationFailed on a start. */
  'refuseCapacity',
  /** The subscription's core quota is used up: OperationNotAllowed. */
  'refuseQuota',
  /** Azure: the error reply `error` with `status`. The call has no effect. */
  'refuse',
  /** The reply has status 500. The call has no effect. */
  'serverError',
  /** The call takes effect, but the reply is malformed. */
  'malformed',
  /** The call takes effect, but the connection drops instead of a reply. */
  'loseReply',
  /** The connection drops before the call takes effect. */
  'dropConnection',
  /** The call has no effect and is never answered. The connection stays open until the client closes it. */
  'hang',
  /** A long-running operation starts and stays in progress. */
  'neverFinish',
  /** A long-running operation starts and ends as Failed. */
  'finishFailed',
  /** A long-running operation starts and ends as Canceled, and so does the resource. */
  'finishCanceled',
  /** 401. The call has no effect. */
  'unauthorised',
  /** Razorpay: an event is never sent. */
  'loseEvent',
  /** Razorpay: an event is sent three times. */
  'repeatEvent',
  /** Razorpay: an event is sent `retryAfter` seconds late, and therefore after later events. */
  'delayEvent',
  /** Mail: the recipient `name` is rejected with the SMTP code `code` (default 550) and the text `message`. */
  'rejectRecipient',
  /** AWS, Azure, Graph: the connection drops instead of a reply, and the call takes effect `seconds` later. */
  'doneLate',
  /** AWS, Graph: the call takes effect and is answered, but reads show it only `seconds` later. */
  'seenLate',
  /** Azure: a page of a `statusOnly` list leaves out the power of its machines. */
  'hidePower',
  /** Azure: the first page of a list is empty except for the link to the next page. */
  'emptyPage',
  'wrongIssuer',
  'wrongAudience',
  'otherNonce',
  'unverifiedEmail',
  'clockAhead',
  'expired',
  'unsigned',
  'signedWithSecret',
  /** OpenID: the ID token is signed with a key that the provider does not publish. */
  'signedByAnotherKey',
] as const

/** An injected failure. Without `times` and `every` it affects each matching call. */
export const faultShape = z.strictObject({
  kind: z.enum(kinds),
  /** Published name of the operation (VirtualMachines_Start). `*` matches any characters. */
  operation: z.string().min(1).max(120).default('*'),
  name: z.string().min(1).max(120).default('*'),
  times: z.int().min(1).optional(),
  every: z.int().min(1).optional(),
  /** throttle: value of Retry-After, in seconds. */
  retryAfter: z.int().min(0).max(3600).default(5),
  /** doneLate, seenLate: delay in seconds of the emulator's clock. clockAhead, expired: offset in seconds. */
  seconds: z.int().min(1).max(3600).default(30),
  /** refuse: status and error of the reply. */
  status: z.int().min(400).max(599).default(400),
  error: z
    .strictObject({
      code: z.string().max(120),
      message: z.string().max(4_000).default(''),
      target: z.string().optional(),
      details: z.array(z.strictObject({ code: z.string(), message: z.string() })).optional(),
      additionalInfo: z.array(z.strictObject({ type: z.string(), info: z.looseObject({}) })).optional(),
    })
    .optional(),
  code: z.string().max(120).optional(),
  message: z.string().max(1000).optional(),
})

export type FaultRequest = z.infer<typeof faultShape>

export interface Fault extends FaultRequest {
  readonly id: number
  readonly matched: number
  readonly happened: number
}
