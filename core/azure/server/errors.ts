import { isRestError } from '@azure/core-rest-pipeline'
import {
  providerErrorIn,
  CloudError,
  type CloudErrorKind,
  errorFactory,
  isSignInError,
  isTimeout,
} from '@trainyard/platform/server/providers/errors.ts'
import { oneLine, ProviderError, retryAfterIn, sentenceWith } from '@trainyard/platform/server/providers/errors.ts'
import { SignInRefused, SignInUnreachable } from './credentials.ts'
import { errorsIn } from './error-body.ts'
import type { Outcome } from './outcome.ts'
import { byStatus, decisiveError, operationOf } from './outcomes.ts'
import { refusalFacts } from './refusal-facts.ts'

const azure = errorFactory({
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
 * Converts an error to a CloudError. Bugs in our code are returned unchanged. `secret` is removed from messages,
 * because Azure may quote it.
 */
export function asCloudError(problem: unknown, action: string, secret = ''): unknown {
  if (problem instanceof CloudError) return problem
  if (!(problem instanceof Error)) return problem
  if (isTimeout(problem.name)) {
    return new CloudError('unreachable', `Azure did not respond in time to the request to ${action}.`)
  }
  if (problem instanceof SignInUnreachable) return new CloudError('unreachable', problem.message)
  if (problem instanceof SignInRefused) return new CloudError('unauthorised', problem.message)
  if (isSignInError(problem.name)) {
    return azure.signInFailed()
  }
  if (!isRestError(problem)) {
    // The SDK validates some patterns before it sends a request.
    if (!/should satisfy the constraint|cannot be null or undefined/.test(problem.message)) return problem
    return new CloudError(
      'refused',
      `The request to Azure to ${action} is invalid: ${oneLine(problem.message, secret)}`,
    )
  }
  const status = problem.statusCode ?? null
  if (problem.code === 'PARSE_ERROR' || status === null) {
    const code = problem.code ?? 'unknown'
    const cause = new AzureError(status, code, oneLine(problem.message, secret), { is: 'unknown', done: 'perhaps' })
    const reason = status === null ? `no response (${code})` : 'the response could not be read'
    return azure.noResponse(action, reason, { cause })
  }
  const operation = operationOf(problem.request?.method ?? '', problem.request?.url ?? '')
  const { error, row } = decisiveError({ operation, status }, errorsIn(problem.response?.bodyAsText))
  const outcome = row?.outcome ?? byStatus(status)
  const facts = refusalFacts(action, { ...error, message: error.message === '' ? problem.message : error.message })
  const shown = Object.fromEntries(
    Object.entries(facts).map(([fact, value]) => [fact, fact === 'action' ? action : oneLine(value, secret)]),
  )
  const { code = '', message = '' } = shown
  const kind = errorOf(outcome)
  const cause = new AzureError(status, error.code, message, outcome)
  const pause = retryAfterIn(problem.response?.headers.get('retry-after'))
  return azure.fromResponse(kind, action, { status, code, message }, pause, {
    cause,
    final: outcome.is === 'final',
    sentence: row === undefined ? null : sentenceWith(row.sentences, shown),
    ...(outcome.is === 'wait' ? { maxRetrySeconds: outcome.seconds } : {}),
  })
}

export const azureErrorIn = (problem: unknown): AzureError | null => providerErrorIn(problem, AzureError)

export const isNotFound = (problem: unknown): boolean => azureErrorIn(problem)?.outcome.is === 'absent'

export async function nullIfAbsent<T>(callback: () => Promise<T>): Promise<T | null> {
  try {
    return await callback()
  } catch (problem) {
    if (isNotFound(problem)) return null
    throw problem
  }
}
