import { isRestError } from '@azure/core-rest-pipeline'
import { answerBeneath, CloudError, type CloudErrorKind, errorsOf, isSignInError, isTimeout } from '../errors.ts'
import { oneLine, ProviderError, retryAfterIn } from '../errors.ts'
import { SignInUnreachable } from './credentials.ts'
import { errorIn } from './error-body.ts'
import type { Outcome } from './outcome.ts'
import { operationOf, outcomeOf } from './outcomes.ts'

const azure = errorsOf({
  name: 'Azure',
  limit: "The subscription's limit at Azure",
  rights: 'credentials and roles',
})

class AzureError extends ProviderError {
  readonly outcome: Outcome
  override readonly name = 'AzureError'

  constructor(status: number | null, code: string, message: string, outcome: Outcome) {
    super(status, code, message)
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
 * wire (a bug of ours) is returned as it is, so that it is seen. `secret` is what was sent and must not come back: Azure
 * may quote what it refuses.
 */
export function asCloudError(problem: unknown, doing: string, secret = ''): unknown {
  if (problem instanceof CloudError) return problem
  if (!(problem instanceof Error)) return problem
  if (isTimeout(problem.name)) {
    return new CloudError('unreachable', `Azure did not answer in time when asked to ${doing}.`)
  }
  if (problem instanceof SignInUnreachable) return new CloudError('unreachable', problem.message)
  if (isSignInError(problem.name)) {
    return azure.notSignedIn()
  }
  if (!isRestError(problem)) {
    // The SDK checks a few patterns itself before it sends anything.
    if (!/should satisfy the constraint|cannot be null or undefined/.test(problem.message)) return problem
    return new CloudError('refused', `Azure would refuse to ${doing}: ${oneLine(problem.message, secret)}`)
  }
  const status = problem.statusCode ?? null
  if (problem.code === 'PARSE_ERROR' || status === null) {
    const code = problem.code ?? 'unknown'
    const cause = new AzureError(status, code, oneLine(problem.message, secret), { is: 'unknown', done: 'perhaps' })
    const how = status === null ? `there was no answer (${code})` : 'the answer could not be read'
    return azure.unanswered(doing, how, { cause })
  }
  const error = errorIn(problem.response?.bodyAsText)
  const operation = operationOf(problem.request?.method ?? '', problem.request?.url ?? '')
  const outcome = outcomeOf({ operation, status, ...error })
  // Azure's network says no more than 'A retryable error occurred' outside of the details.
  const code = error.details[0] ?? (error.code === '' ? 'unknown' : error.code)
  const said = oneLine(error.message === '' ? problem.message : error.message, secret)
  const kind = errorOf(outcome)
  const cause = new AzureError(status, error.code, said, outcome)
  const pause = retryAfterIn(problem.response?.headers.get('retry-after'))
  return azure.answered(kind, doing, { status, code, message: said }, pause, {
    cause,
    final: outcome.is === 'final',
    ...(outcome.is === 'wait' ? { patience: outcome.seconds } : {}),
  })
}

/** Returns Azure's answer beneath an error of the port, null where it gave none. */
export const azureErrorIn = (problem: unknown): AzureError | null => answerBeneath(problem, AzureError)

/** True when a failure says that the thing asked for is not there. */
export const saysAbsent = (problem: unknown): boolean => azureErrorIn(problem)?.outcome.is === 'absent'

/** null in place of what is not there. */
export async function unlessAbsent<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (problem) {
    if (saysAbsent(problem)) return null
    throw problem
  }
}
