import { GraphError } from '@microsoft/microsoft-graph-client'
import {
  providerErrorIn,
  CloudError,
  type CloudErrorKind,
  errorFactory,
  isSignInError,
  isTimeout,
} from '@trainyard/platform/server/providers/errors.ts'
import { ProviderError, retryAfterIn } from '@trainyard/platform/server/providers/errors.ts'

const entra = errorFactory({
  name: 'Entra',
  limit: 'The limit of the directory',
  rights: 'credentials and permissions',
})

export class EntraError extends ProviderError {
  /** Codes of the errors within the error, such as `ObjectConflict` for a name that is taken. */
  readonly details: readonly string[]
  override readonly name = 'EntraError'

  constructor(status: number, code: string, message: string, details: readonly string[]) {
    super(status, code, message)
    this.details = details
  }
}

function errorOf(status: number, { code, details }: Pick<EntraError, 'code' | 'details'>): CloudErrorKind {
  const codes = new Set([...details, code])
  if (codes.has('Directory_QuotaExceeded')) return 'quota'
  // Status 503 (azure-cli#23081) or 409 (nais/azurerator#448): the directory accepts one writer at a time.
  if (codes.has('Directory_ConcurrencyViolation')) return 'conflict'
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'unauthorised'
  if (status === 409 || status === 412 || status === 423) return 'conflict'
  // A 404 with Graph's own code means that the resource does not exist. Any other 404 may come from a proxy.
  if (status === 404 && isAbsent(code)) return 'conflict'
  if (status === 404 || status === 408 || status >= 500 || status < 400) return 'unreachable'
  return 'refused'
}

const isAbsent = (code: string) => /^(Request_ResourceNotFound|ResourceNotFound|itemNotFound)$/i.test(code)

/** Converts a failed call into a CloudError. Returns a bug of the portal unchanged, so that the bug is reported. */
export function asCloudError(problem: unknown, action: string): unknown {
  if (problem instanceof CloudError || !(problem instanceof GraphError)) return problem
  // Failures before a readable response have no failing status, and their error name is in `code`.
  if (problem.statusCode < 400) return withoutAnswer(problem.code ?? '', problem.message, action)
  const status = problem.statusCode
  const code = problem.code ?? 'unknown'
  const cause = new EntraError(status, code, problem.message, detailsOf(problem.body))
  return entra.fromResponse(errorOf(status, cause), action, cause, retryAfterIn(problem.headers?.get('retry-after')))
}

function withoutAnswer(code: string, message: string, action: string): CloudError {
  if (code === 'SignInUnreachable') return new CloudError('unreachable', message)
  if (code === 'SignInRefused') return new CloudError('unauthorised', message)
  if (isSignInError(code)) return entra.signInFailed()
  return entra.noResponse(action, isTimeout(code) ? 'no response in time' : 'no readable response')
}

/** Returns the codes in `details` and `innerError`. Source: learn.microsoft.com/graph/errors. */
function detailsOf(body: unknown, depth = 0): string[] {
  try {
    const { details, innerError } = ((typeof body === 'string' ? JSON.parse(body) : body) ?? {}) as NestedErrors
    const nested = [...(Array.isArray(details) ? details : []), innerError] as ({ code?: unknown } | null | undefined)[]
    return nested.flatMap((each) => [
      ...(typeof each?.code === 'string' ? [each.code] : []),
      ...(typeof each === 'object' && depth < 8 ? detailsOf(each, depth + 1) : []),
    ])
  } catch {
    return []
  }
}

interface NestedErrors {
  readonly details?: unknown
  readonly innerError?: unknown
}

export function isNotFound(problem: unknown): boolean {
  const answer = providerErrorIn(problem, EntraError)
  return answer !== null && answer.status === 404 && isAbsent(answer.code)
}

export function isNameTaken(problem: unknown): boolean {
  const answer = providerErrorIn(problem, EntraError)
  if (answer === null || answer.status !== 400) return false
  return answer.details.includes('ObjectConflict') || /same value for property userPrincipalName/i.test(answer.message)
}
