import { isRestError } from '@azure/core-rest-pipeline'
import { CloudError, type CloudErrorKind } from '../cloud.ts'
import { errorIn } from './error-body.ts'
import type { Outcome } from './outcome.ts'
import { operationOf, outcomeOf } from './outcomes.ts'

/** What Azure answered, without the request (which may hold a password and always holds a token). */
class AzureFault extends Error {
  readonly status: number | null
  readonly code: string
  readonly outcome: Outcome
  override readonly name = 'AzureFault'

  constructor(status: number | null, code: string, message: string, outcome: Outcome) {
    super(message)
    this.status = status
    this.code = code
    this.outcome = outcome
  }
}

/** The kind of error that each outcome is to the port's callers. */
function errorOf(outcome: Outcome): CloudErrorKind {
  switch (outcome.is) {
    case 'final':
    case 'wait':
      return outcome.kind
    case 'throttled':
      return 'throttled'
    case 'conflict':
    case 'absent':
      return 'conflict'
    case 'unknown':
      return outcome.done === 'perhaps' ? 'unreachable' : 'refused'
  }
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
  if (problem.code === 'PARSE_ERROR' || status === null) {
    const code = problem.code ?? 'unknown'
    const cause = new AzureFault(status, code, words(problem.message), { is: 'unknown', done: 'perhaps' })
    const how = status === null ? `there was no answer (${code})` : 'the answer could not be read'
    return new CloudError('unreachable', `Asked Azure to ${doing}, but ${how}.`, null, { cause })
  }
  const error = errorIn(problem.response?.bodyAsText)
  const operation = operationOf(problem.request?.method ?? '', problem.request?.url ?? '')
  const outcome = outcomeOf({ operation, status, ...error })
  // Azure's network says no more than 'A retryable error occurred' outside of the details.
  const code = error.details[0] ?? (error.code === '' ? 'unknown' : error.code)
  const said = words(error.message === '' ? problem.message : error.message)
  const kind = errorOf(outcome)
  const cause = new AzureFault(status, error.code, said, outcome)
  const pause = retryAfter(problem.response?.headers.get('retry-after'))
  return new CloudError(kind, sentence(kind, doing, status, code, said), pause, {
    cause,
    final: outcome.is === 'final',
    ...(outcome.is === 'wait' ? { patience: outcome.seconds } : {}),
  })
}

function sentence(kind: CloudErrorKind, doing: string, status: number, code: string, said: string): string {
  const sentences: Record<CloudErrorKind, string> = {
    throttled: `Azure asks for a pause before it will ${doing} (${code}).`,
    capacity: `Azure has no room to ${doing} just now: ${said}`,
    quota: `The subscription's limit at Azure is reached: ${said}`,
    refused: `Azure refuses to ${doing}: ${said}`,
    unauthorised: `Azure does not let the portal ${doing} (${code}): look at its credentials and roles.`,
    conflict: `Azure can not ${doing} just now (${code}): ${said}`,
    unreachable: `Azure failed when asked to ${doing} (status ${status}).`,
  }
  return sentences[kind]
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
  return faultBeneath(problem)?.outcome.is === 'absent'
}

/** Azure may quote what it refuses; a password must not come back that way. */
export function withoutPassword(problem: unknown, password: string): unknown {
  if (!(problem instanceof CloudError) || !problem.message.includes(password)) return problem
  const { kind, message, retryAfter, final, patience } = problem
  const told = { final, ...(patience === null ? {} : { patience }) }
  return new CloudError(kind, message.replaceAll(password, '(password)'), retryAfter, told)
}
