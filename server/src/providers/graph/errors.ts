import { GraphError } from '@microsoft/microsoft-graph-client'
import { answerBeneath, CloudError, type CloudErrorKind, errorsOf, isSignInError, isTimeout } from '../errors.ts'
import { ProviderError, retryAfterIn } from '../errors.ts'

const entra = errorsOf({
  name: 'Entra',
  limit: 'The limit of the directory',
  rights: 'credentials and permissions',
})

class EntraError extends ProviderError {
  /** Codes of the details: `ObjectConflict` for a name that is taken. */
  readonly details: readonly string[]
  override readonly name = 'EntraError'

  constructor(status: number, code: string, message: string, details: readonly string[]) {
    super(status, code, message)
    this.details = details
  }
}

function errorOf(status: number, code: string): CloudErrorKind {
  if (code === 'Directory_QuotaExceeded') return 'quota'
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'unauthorised'
  if (status === 409 || status === 412 || status === 423) return 'conflict'
  // A 404 with Graph's own code says that something is not there; any other may be some proxy's.
  if (status === 404 && isAbsent(code)) return 'conflict'
  if (status === 404 || status === 408 || status >= 500 || status < 400) return 'unreachable'
  return 'refused'
}

const isAbsent = (code: string) => /^(Request_ResourceNotFound|ResourceNotFound|itemNotFound)$/i.test(code)

/** Any failure of a call as the port's own; a bug of ours is returned as it is, so that it is seen. */
export function asCloudError(problem: unknown, doing: string): unknown {
  if (problem instanceof CloudError || !(problem instanceof GraphError)) return problem
  // Whatever went wrong before an answer could be read comes as an error without a failing status, its name as code.
  if (problem.statusCode < 400) return withoutAnswer(problem.code ?? '', problem.message, doing)
  const status = problem.statusCode
  const code = problem.code ?? 'unknown'
  const cause = new EntraError(status, code, problem.message, detailsOf(problem.body))
  return entra.answered(errorOf(status, code), doing, cause, retryAfterIn(problem.headers?.get('retry-after')))
}

function withoutAnswer(code: string, message: string, doing: string): CloudError {
  if (code === 'SignInUnreachable') return new CloudError('unreachable', message)
  if (isSignInError(code)) return entra.notSignedIn()
  return entra.unanswered(
    doing,
    isTimeout(code) ? 'it did not answer in time' : 'there was no answer that could be read',
  )
}

function detailsOf(body: unknown): string[] {
  try {
    const read = (typeof body === 'string' ? JSON.parse(body) : body) as { details?: { code?: unknown }[] } | null
    return (read?.details ?? []).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  } catch {
    return []
  }
}

/** True when a failure says that the thing asked for is not there. */
export function saysAbsent(problem: unknown): boolean {
  const answer = answerBeneath(problem, EntraError)
  return answer !== null && answer.status === 404 && isAbsent(answer.code)
}

/** True when it says that somebody has the name already. */
export function saysTaken(problem: unknown): boolean {
  const answer = answerBeneath(problem, EntraError)
  if (answer === null || answer.status !== 400) return false
  return answer.details.includes('ObjectConflict') || /same value for property userPrincipalName/i.test(answer.message)
}
