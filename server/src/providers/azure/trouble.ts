import { isRestError } from '@azure/core-rest-pipeline'
import { CloudError, type CloudTrouble } from '../cloud.ts'

/** What Azure answered, without the request (which may hold a password and always holds a token). */
class AzureFault extends Error {
  readonly status: number | null
  readonly code: string
  override readonly name = 'AzureFault'

  constructor(status: number | null, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

// Azure says the same trouble with different statuses at different doors, so codes are asked first.
const BY_CODE: readonly [RegExp, CloudTrouble][] = [
  [/^(SkuNotAvailable|(Zonal)?AllocationFailed|Overconstrained(Zonal)?AllocationRequest)$/, 'capacity'],
  [/QuotaExceeded|PublicIPCountLimitReached|SubscriptionLimit|ResourceCountExceedsLimit/, 'quota'],
  [/^(PropertyChangeNotAllowed|RequestDisallowedByPolicy|MissingSubscriptionRegistration)$/, 'refused'],
  [/^(ReferencedResourceNotProvisioned|AnotherOperationInProgress|PublicIPAddressCannotBeDeleted)$/, 'conflict'],
  [/^(InvalidResourceReference|NicInUse|InUseNetworkSecurityGroupCannotBeDeleted|RetryableError)$/, 'conflict'],
  // A user that the directory has not told Azure of yet.
  [/^(PrincipalNotFound|ResourceGroupBeingDeleted)$/, 'conflict'],
  [/^RetryableErrorDueToAnotherOperation$/, 'throttled'],
  [/^(SubscriptionNotFound|InvalidSubscriptionId|ReadOnlyDisabledSubscription)$/, 'unauthorised'],
]

/** A 404 means absent only with one of Azure's own codes: some proxy's 404 must never make a machine vanish. */
const ABSENT = /^(ResourceNotFound|ResourceGroupNotFound|NotFound)$/

function troubleOf(status: number, code: string, message: string): CloudTrouble {
  // One code, two meanings: the subscription's limit, or an operation that the present state does not allow.
  if (code === 'OperationNotAllowed') return /quota|limit|cores/i.test(message) ? 'quota' : 'conflict'
  const known = BY_CODE.find(([pattern]) => pattern.test(code))
  if (known) return known[1]
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'unauthorised'
  if (status === 409 || status === 412 || (status === 404 && ABSENT.test(code))) return 'conflict'
  if (status === 404 || status === 408 || status >= 500 || status < 400) return 'unreachable'
  return 'refused'
}

/**
 * Any failure of a call as the port's own. `doing` completes 'Azure refuses to ...'. What can't be told from the
 * wire (a bug of ours) is returned as it is, so that it is seen.
 */
export function asCloudError(problem: unknown, doing: string): unknown {
  if (problem instanceof CloudError) return problem
  if (!(problem instanceof Error)) return problem
  if (problem.name === 'AbortError' || problem.name === 'TimeoutError') {
    return new CloudError('unreachable', `Azure did not answer in time when asked to ${doing}.`)
  }
  // @azure/identity: a secret that is wrong or has run out, or no way to a token at all.
  if (/^(Authentication|CredentialUnavailable|AggregateAuthentication|AuthenticationRequired)/.test(problem.name)) {
    return new CloudError('unauthorised', 'The portal could not sign in to Azure: look at its credentials.')
  }
  if (!isRestError(problem)) {
    // The SDK checks a few patterns itself before it sends anything.
    if (!/should satisfy the constraint|cannot be null or undefined/.test(problem.message)) return problem
    return new CloudError('refused', `Azure would refuse to ${doing}: ${words(problem.message)}`)
  }
  const status = problem.statusCode ?? null
  const code = problem.code ?? 'unknown'
  const cause = new AzureFault(status, code, words(problem.message))
  if (code === 'PARSE_ERROR' || status === null) {
    const how = status === null ? `there was no answer (${code})` : 'the answer could not be read'
    return new CloudError('unreachable', `Asked Azure to ${doing}, but ${how}.`, null, { cause })
  }
  const trouble = troubleOf(status, code, problem.message)
  const pause = retryAfter(problem.response?.headers.get('retry-after'))
  return new CloudError(trouble, sentence(trouble, doing, status, code, words(problem.message)), pause, { cause })
}

function sentence(trouble: CloudTrouble, doing: string, status: number, code: string, said: string): string {
  const sentences: Record<CloudTrouble, string> = {
    throttled: `Azure asks for a pause before it will ${doing} (${code}).`,
    capacity: `Azure has no room to ${doing} just now: ${said}`,
    quota: `The subscription's limit at Azure is reached: ${said}`,
    refused: `Azure refuses to ${doing}: ${said}`,
    unauthorised: `Azure does not let the portal ${doing} (${code}): look at its credentials and roles.`,
    conflict: `Azure can not ${doing} just now (${code}): ${said}`,
    unreachable: `Azure failed when asked to ${doing} (status ${status}).`,
  }
  return sentences[trouble]
}

/** The provider's words on one line, bounded, with resource paths cut down to their last name. */
export function words(message: string): string {
  const line = message
    .replace(/\s+/g, ' ')
    .replace(/\/subscriptions\/[^\s'"]*\/([^\s'"/]+)/g, '$1')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Retry-After in whole seconds; it may also be a date. */
export function retryAfter(header: string | undefined): number | null {
  if (header === undefined) return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const until = Date.parse(header)
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

/** What Azure answered beneath an error of ours, where it answered at all. */
export function faultBeneath(problem: unknown): AzureFault | null {
  return problem instanceof CloudError && problem.cause instanceof AzureFault ? problem.cause : null
}

/** Whether a failure says that the thing asked for is not there. */
export function saysAbsent(problem: unknown): boolean {
  const fault = faultBeneath(problem)
  return fault !== null && fault.status === 404 && ABSENT.test(fault.code)
}

/** Azure may quote what it refuses; a password must not come back that way. */
export function withoutPassword(problem: unknown, password: string): unknown {
  if (!(problem instanceof CloudError) || !problem.message.includes(password)) return problem
  return new CloudError(problem.trouble, problem.message.replaceAll(password, '(password)'), problem.retryAfter)
}
