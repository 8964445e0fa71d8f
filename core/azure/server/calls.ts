import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { asCloudError, isNotFound } from './errors.ts'

export interface Answer<T> {
  readonly at: Date
  readonly status: number
  readonly body: T
}

export interface CallOptions {
  readonly abortSignal: AbortSignal
  readonly onResponse: (response: PipelineResponse, body: unknown) => void
}

/** Timeout of one call to Azure, in milliseconds. */
const TIMEOUT_MS = 30_000

export async function call<T>(
  action: string,
  signal: AbortSignal,
  send: (options: CallOptions) => Promise<T>,
): Promise<Answer<T>> {
  let answered: PipelineResponse | undefined
  try {
    const body = await send({
      abortSignal: withTimeout(signal),
      onResponse: (response) => {
        requireReadable(response, action)
        answered = response
      },
    })
    return { at: instantOf(answered), status: answered?.status ?? 200, body }
  } catch (problem) {
    throw asCloudError(problem, action)
  }
}

export async function callOrNull<T>(
  action: string,
  signal: AbortSignal,
  send: (options: CallOptions) => Promise<T>,
): Promise<Answer<T | null>> {
  let at: Date | undefined
  try {
    return await call(action, signal, (options) =>
      send({
        ...options,
        onResponse: (response, body) => {
          at = instantOf(response)
          options.onResponse(response, body)
        },
      }),
    )
  } catch (problem) {
    if (isNotFound(problem)) return { at: at ?? instantOf(undefined), status: 404, body: null }
    throw problem
  }
}

export interface CreatedResource {
  readonly id?: string
  readonly provisioningState?: string
  readonly ipAddress?: string
}

class RequestAccepted extends Error {
  readonly answer: Answer<CreatedResource>

  constructor(answer: Answer<CreatedResource>) {
    super('Azure accepted the request')
    this.answer = answer
  }
}

/**
 * Starts an operation. Aborts the SDK by an exception at the first response, because its `beginX` always polls again.
 * No error quotes `secret`.
 */
export async function startOperation(
  action: string,
  signal: AbortSignal,
  begin: (options: CallOptions) => Promise<unknown>,
  secret?: string,
): Promise<Answer<CreatedResource>> {
  try {
    await begin({
      abortSignal: withTimeout(signal),
      onResponse: (response, body) => {
        if (response.status >= 400) return
        requireReadable(response, action)
        throw new RequestAccepted({ at: instantOf(response), status: response.status, body: createdResourceIn(body) })
      },
    })
  } catch (problem) {
    if (problem instanceof RequestAccepted) return problem.answer
    throw asCloudError(problem, action, secret)
  }
  throw new CloudError('unreachable', `Azure did not respond to the request to ${action}.`)
}

function createdResourceIn(body: unknown): CreatedResource {
  if (typeof body !== 'object' || body === null) return {}
  const fields = Object.entries(body).filter(
    ([field, value]) => RESOURCE_FIELDS.has(field) && typeof value === 'string',
  )
  return Object.fromEntries(fields)
}

const RESOURCE_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'provisioningState',
  'ipAddress',
] satisfies (keyof CreatedResource)[])

function withTimeout(signal: AbortSignal): AbortSignal {
  // The SDK's own timeout ends when the headers arrive. This signal also ends a body that never finishes.
  return AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
}

/**
 * Rejects responses that cannot be read. The SDK reads a proxy's page with status 200 as an empty object, and ignores a
 * body that it does not use.
 */
function requireReadable(response: PipelineResponse, action: string) {
  const text = response.bodyAsText ?? ''
  if (response.status >= 400 || text === '') return
  if (/\bjson\b/.test(response.headers.get('content-type') ?? '') && isJson(text)) return
  throw new CloudError('unreachable', `The request to Azure to ${action} failed: the response could not be read.`)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the provider's time in whole seconds, from the Date header. Bills use the provider's clock, not ours. */
function instantOf(response: PipelineResponse | undefined): Date {
  const stated = Date.parse(response?.headers.get('date') ?? '')
  return Number.isNaN(stated) ? new Date(Math.floor(Date.now() / 1000) * 1000) : new Date(stated)
}
