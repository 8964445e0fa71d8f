import type { Fault } from '#src/faults/fault.ts'
import { GraphRefusal, notAuthenticated } from '#src/graph/refusal.ts'

export function graphRefusalFor(fault: Fault): GraphRefusal | undefined {
  const pause = { headers: { 'retry-after': String(fault.retryAfter) } }
  switch (fault.kind) {
    case 'throttle':
      return new GraphRefusal(429, 'TooManyRequests', 'Too many requests.', pause)
    case 'refuseCapacity':
      return new GraphRefusal(503, 'ServiceUnavailable', 'The service is temporarily unavailable.', pause)
    case 'refuseQuota':
      return new GraphRefusal(
        403,
        'Directory_QuotaExceeded',
        'The directory object quota limit for the Principal has been exceeded. Please ask your administrator to increase the quota limit or delete objects to reduce the used quota.',
      )
    case 'serverError':
      return new GraphRefusal(500, 'InternalServerError', 'An error occurred. This fault was injected.')
    case 'unauthorised':
      return notAuthenticated()
    default:
      return undefined
  }
}
