import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'
import type { Ending } from './operation.ts'
import { Refusal } from './refusal.ts'

export function refusalFor(
  fault: Fault,
  operation: string,
  params: Readonly<Record<string, string>>,
): Refusal | undefined {
  switch (fault.kind) {
    case 'throttle':
      return throttled(operation, fault.retryAfter)
    case 'refuseCapacity':
      return operation === 'VirtualMachines_Start'
        ? new Refusal(409, allocationFailed.code, allocationFailed.message)
        : new Refusal(
            409,
            'SkuNotAvailable',
            "The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions' is currently not available in the location asked for. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details.",
          )
    case 'refuseQuota':
      return new Refusal(
        409,
        'OperationNotAllowed',
        'Operation could not be completed as it results in exceeding approved Total Regional Cores quota. Additional details - Deployment Model: Resource Manager, Current Limit: 10, Current Usage: 10, Additional Required: 2, (Minimum) New Limit Required: 12.',
      )
    case 'refuse': {
      const { code, message, ...more } = fault.error ?? { code: 'Conflict', message: 'This fault was injected.' }
      return new Refusal(fault.status, code, message, more)
    }
    case 'serverError':
      return new Refusal(500, 'InternalServerError', 'Encountered internal server error. This fault was injected.')
    case 'unauthorised':
      return notAuthenticated(params)
    default:
      return undefined
  }
}

const computeOperation = /^(?:VirtualMachine|Disk|Galler)/

/** Returns the 429 reply: compute names the exceeded limit in `details`, the resource manager in the message. */
function throttled(operation: string, seconds: number): Refusal {
  const headers = { 'retry-after': String(seconds), 'x-ms-ratelimit-remaining-subscription-writes': '0' }
  if (!computeOperation.test(operation)) {
    return new Refusal(
      429,
      'TooManyRequests',
      `The request is being throttled as the limit has been reached for this subscription. Please try again after '${seconds}' seconds.`,
      { headers },
    )
  }
  const measured = { operationGroup: 'HighCostGet30Min', allowedRequestCount: 800, measuredRequestCount: 1238 }
  return new Refusal(
    429,
    'OperationNotAllowed',
    'The server rejected the request because too many requests have been received for this subscription.',
    { headers, details: [{ code: 'TooManyRequests', target: 'HighCostGet30Min', message: JSON.stringify(measured) }] },
  )
}

export function notAuthenticated(params: Readonly<Record<string, string>>): Refusal {
  return new Refusal(401, 'InvalidAuthenticationToken', 'The access token is missing, invalid or has expired.', {
    headers: {
      'www-authenticate': `Bearer authorization_uri="https://login.microsoftonline.com/${params.subscription ?? ''}", error="invalid_token", error_description="The access token is missing, invalid or has expired."`,
    },
  })
}

const allocationFailed = {
  code: 'AllocationFailed',
  message:
    'Allocation failed. We do not have sufficient capacity for the requested VM size in this region. Read more about improving likelihood of allocation success at https://aka.ms/allocation-guidance',
}

export function endingUnder(fault: Fault | undefined, operation: string): Ending {
  if (fault?.kind === 'neverFinish') return { kind: 'never' }
  if (fault?.kind === 'finishCanceled') {
    const { code = 'Canceled', message = 'Operation was canceled.' } = fault
    return { kind: 'failure', failure: { code, message, isCanceled: true } }
  }
  if (fault?.kind !== 'finishFailed') return { kind: 'success' }
  const defaultError = operation.startsWith('VirtualMachines_')
    ? allocationFailed
    : { code: 'InternalServerError', message: 'An error occurred.' }
  return {
    kind: 'failure',
    failure: { code: fault.code ?? defaultError.code, message: fault.message ?? defaultError.message },
  }
}
