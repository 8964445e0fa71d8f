import { z } from 'zod'

export const kinds = [
  /** 429 with Retry-After; nothing is done. */
  'throttle',
  /** No room for the size: SkuNotAvailable on a create, AllocationFailed on a start. */
  'refuseCapacity',
  /** The subscription's cores are used up: OperationNotAllowed. */
  'refuseQuota',
  /** 500; nothing is done. */
  'serverError',
  /** It is done, and the reply can't be read. */
  'malformed',
  /** It is done, and the connection drops instead of a reply. */
  'loseReply',
  /** The connection drops before anything is done. */
  'dropConnection',
  /** Taken, nothing done, never answered, until the client goes. */
  'hang',
  /** A long operation begins and stays in progress. */
  'neverFinish',
  /** A long operation begins and ends as Failed. */
  'finishFailed',
  /** 401; nothing is done. */
  'unauthorised',
  /** Razorpay: an event is never sent. */
  'loseEvent',
  /** Razorpay: an event is sent three times. */
  'repeatEvent',
  /** Razorpay: an event is sent `retryAfter` seconds late, and so after others. */
  'delayEvent',
  /** AWS, Azure, Graph: the connection drops instead of a reply, and it is done `seconds` later. */
  'doneLate',
  /** AWS, Graph: it is done and answered, and those who read see it `seconds` later. */
  'seenLate',
  /** Azure: a list of how machines stand leaves out the power of those on this page. */
  'hidePower',
  /** Azure: a list begins with a page that has nothing on it but a link to the next. */
  'emptyPage',
  /** OpenID: the ID token, or the discovery document, names another issuer. */
  'wrongIssuer',
  /** OpenID: the ID token is for another application. */
  'wrongAudience',
  /** OpenID: the ID token has a nonce of another sign-in. */
  'otherNonce',
  /** OpenID: the e-mail in the ID token is not verified. */
  'unverifiedEmail',
  /** OpenID: the ID token was issued `seconds` from now. */
  'clockAhead',
  /** OpenID: the ID token ended `seconds` ago. */
  'expired',
  /** OpenID: the ID token has no signature. */
  'unsigned',
  /** OpenID: the ID token is signed with the client's secret. */
  'signedWithSecret',
  /** OpenID: the ID token is signed with a key that the provider does not publish. */
  'signedByAnotherKey',
] as const

/** A failure that was asked for. With neither `times` nor `every` it happens to each call that matches. */
export const faultShape = z.strictObject({
  kind: z.enum(kinds),
  /** The published name of the operation (VirtualMachines_Start); `*` stands for any run of characters. */
  operation: z.string().min(1).max(120).default('*'),
  /** Name of the resource that the path names last; `*` as above. */
  name: z.string().min(1).max(120).default('*'),
  /** How many of the matching calls it happens to, from the first on. */
  times: z.int().min(1).optional(),
  /** It happens to every n-th matching call: the n-th, the 2n-th and so on. */
  every: z.int().min(1).optional(),
  /** throttle: what Retry-After says, in seconds. */
  retryAfter: z.int().min(0).max(3600).default(5),
  /** doneLate, seenLate: how much later, in seconds of the emulator's clock; clockAhead, expired: how far off. */
  seconds: z.int().min(1).max(3600).default(30),
  /** finishFailed: the code and the words of the failure. */
  code: z.string().max(120).optional(),
  message: z.string().max(1000).optional(),
})

export type FaultRequest = z.infer<typeof faultShape>

export interface Fault extends FaultRequest {
  readonly id: number
  /** Calls that matched, and how many of them it happened to. */
  readonly matched: number
  readonly happened: number
}
