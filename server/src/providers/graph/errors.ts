import { GraphError } from '@microsoft/microsoft-graph-client'
import { retryAfter, words } from '../azure/errors.ts'
import { CloudError, type CloudErrorKind } from '../cloud.ts'

/** What Graph answered, without the request (which may hold a password and always holds a token). */
class GraphFault extends Error {
  readonly status: number
  readonly code: string
  /** Codes of the details: `ObjectConflict` for a name that is taken. */
  readonly details: readonly string[]
  override readonly name = 'GraphFault'

  constructor(status: number, code: string, message: string, details: readonly string[]) {
    super(message)
    this.status = status
    this.code = code
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
  if (problem.statusCode < 400) return withoutAnswer(problem.code ?? '', doing)
  const status = problem.statusCode
  const code = problem.code ?? 'unknown'
  const cause = new GraphFault(status, code, words(problem.message), detailsOf(problem.body))
  const kind = errorOf(status, code)
  const pause = retryAfter(problem.headers?.get('retry-after') ?? undefined)
  return new CloudError(kind, sentence(kind, doing, cause), pause, { cause })
}

function withoutAnswer(code: string, doing: string): CloudError {
  if (/^(Authentication|CredentialUnavailable|AggregateAuthentication)/.test(code)) {
    return new CloudError('unauthorised', 'The portal could not sign in to Entra: look at its credentials.')
  }
  const late = code === 'AbortError' || code === 'TimeoutError'
  const how = late ? 'it did not answer in time' : 'there was no answer that could be read'
  return new CloudError('unreachable', `Asked Entra to ${doing}, but ${how}.`)
}

function sentence(kind: CloudErrorKind, doing: string, { status, code, message }: GraphFault): string {
  const sentences: Record<CloudErrorKind, string> = {
    throttled: `Entra asks for a pause before it will ${doing}.`,
    capacity: `Entra can not ${doing} just now: ${message}`,
    quota: `The limit of the directory is reached: ${message}`,
    refused: `Entra refuses to ${doing}: ${message}`,
    unauthorised: `Entra does not let the portal ${doing} (${code}): look at its credentials and permissions.`,
    conflict: `Entra can not ${doing} just now (${code}): ${message}`,
    unreachable: `Entra failed when asked to ${doing} (status ${status}).`,
  }
  return sentences[kind]
}

function detailsOf(body: unknown): string[] {
  try {
    const read = (typeof body === 'string' ? JSON.parse(body) : body) as { details?: { code?: unknown }[] } | null
    return (read?.details ?? []).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  } catch {
    return []
  }
}

function faultBeneath(problem: unknown): GraphFault | null {
  return problem instanceof CloudError && problem.cause instanceof GraphFault ? problem.cause : null
}

/** Whether a failure says that the thing asked for is not there. */
export function saysAbsent(problem: unknown): boolean {
  const fault = faultBeneath(problem)
  return fault !== null && fault.status === 404 && isAbsent(fault.code)
}

/** Whether it says that somebody has the name already. */
export function saysTaken(problem: unknown): boolean {
  const fault = faultBeneath(problem)
  if (fault === null || fault.status !== 400) return false
  return fault.details.includes('ObjectConflict') || /same value for property userPrincipalName/i.test(fault.message)
}
