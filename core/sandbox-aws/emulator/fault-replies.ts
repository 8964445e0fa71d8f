import type { AwsOperation } from './operation.ts'
import { AwsRefusal } from './refusal.ts'
import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'

const serverErrorCodes = { iam: 'ServiceFailure', sts: 'InternalFailure', organizations: 'ServiceException' } as const

/** Returns the refusal that AWS documents for a fault, or undefined if the fault does not refuse a call. */
export function awsRefusalFor(fault: Fault, { service }: AwsOperation): AwsRefusal | undefined {
  const usesJson = service === 'organizations'
  switch (fault.kind) {
    case 'throttle':
      return new AwsRefusal(
        400,
        usesJson ? 'TooManyRequestsException' : 'Throttling',
        'Rate exceeded',
        fault.retryAfter,
      )
    case 'refuseQuota':
      if (service === 'sts')
        return new AwsRefusal(403, 'RegionDisabledException', 'STS is not activated in this region.')
      return usesJson
        ? new AwsRefusal(400, 'ConstraintViolationException', 'You have exceeded a limit of your organization.')
        : new AwsRefusal(409, 'LimitExceeded', 'Cannot exceed quota for UsersPerAccount: 5000')
    case 'refuseCapacity':
      if (service === 'sts') return new AwsRefusal(400, 'Throttling', 'Rate exceeded')
      return usesJson
        ? new AwsRefusal(400, 'ConcurrentModificationException', 'The target is being modified by another request.')
        : new AwsRefusal(
            409,
            'EntityTemporarilyUnmodifiable',
            'The entity is temporarily unmodifiable. Please try again.',
          )
    case 'serverError':
      return fault.code === 'ServiceUnavailable'
        ? new AwsRefusal(503, 'ServiceUnavailable', 'Service is unavailable. Please try again.')
        : new AwsRefusal(500, serverErrorCodes[service], 'The request processing has failed.')
    case 'unauthorised':
      return new AwsRefusal(
        usesJson ? 400 : 403,
        usesJson ? 'UnrecognizedClientException' : 'InvalidClientTokenId',
        'The security token included in the request is invalid.',
      )
    default:
      return undefined
  }
}
