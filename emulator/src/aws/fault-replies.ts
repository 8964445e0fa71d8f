import type { AwsOperation } from '#src/aws/operation.ts'
import { AwsRefusal } from '#src/aws/refusal.ts'
import type { Fault } from '#src/faults/fault.ts'

const failures = { iam: 'ServiceFailure', sts: 'InternalFailure', organizations: 'ServiceException' } as const

/** Codes as AWS documents them. Returns undefined for kinds that do not refuse a call. */
export function awsRefusalFor(fault: Fault, { service }: AwsOperation): AwsRefusal | undefined {
  const json = service === 'organizations'
  switch (fault.kind) {
    case 'throttle':
      return new AwsRefusal(400, json ? 'TooManyRequestsException' : 'Throttling', 'Rate exceeded', fault.retryAfter)
    case 'refuseQuota':
      if (service === 'sts')
        return new AwsRefusal(403, 'RegionDisabledException', 'STS is not activated in this region.')
      return json
        ? new AwsRefusal(400, 'ConstraintViolationException', 'You have exceeded a limit of your organization.')
        : new AwsRefusal(409, 'LimitExceeded', 'Cannot exceed quota for UsersPerAccount: 5000')
    case 'refuseCapacity':
      if (service === 'sts') return new AwsRefusal(400, 'Throttling', 'Rate exceeded')
      return json
        ? new AwsRefusal(400, 'ConcurrentModificationException', 'The target is being modified by another request.')
        : new AwsRefusal(
            409,
            'EntityTemporarilyUnmodifiable',
            'The entity is temporarily unmodifiable. Please try again.',
          )
    case 'serverError':
      return fault.code === 'ServiceUnavailable'
        ? new AwsRefusal(503, 'ServiceUnavailable', 'Service is unavailable. Please try again.')
        : new AwsRefusal(500, failures[service], 'The request processing has failed.')
    case 'unauthorised':
      return new AwsRefusal(
        json ? 400 : 403,
        json ? 'UnrecognizedClientException' : 'InvalidClientTokenId',
        'The security token included in the request is invalid.',
      )
    default:
      return undefined
  }
}
