import { setTimeout as delay } from 'node:timers/promises'
import createClient, { type Client as FetchClient } from 'openapi-fetch'
import type { Connection } from '../config.ts'
import { EXIT, Failure } from '../failure.ts'
import type { components, paths } from './description.d.ts'

export type Client = FetchClient<paths>
export type Schemas = components['schemas']
export type Machine = Schemas['ListMachinesReply'][number]

const TIMEOUT_MS = 60_000
const ATTEMPTS = 3
/** Maximum delay before a retry. */
const RETRY_DELAY_MAX_SECONDS = 30
const BUSY = new Set([429, 503])

export function clientOf({ url, key }: Connection, send: typeof fetch): Client {
  return createClient<paths>({
    baseUrl: url,
    headers: { authorization: `Bearer ${key}` },
    // A redirect could send the key to another address.
    redirect: 'error',
    fetch: (request) => sendWithRetries(request, send),
  })
}

/**
 * Sends a request. While the portal is busy (429 or 503), retries GET requests and requests that have an
 * Idempotency-Key.
 */
async function sendWithRetries(request: Request, send: typeof fetch): Promise<Response> {
  const canRepeat = request.method === 'GET' || request.headers.has('idempotency-key')
  for (let attempt = 1; ; attempt += 1) {
    const reply = await send(request.clone(), { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
      throw unreachable(new URL(request.url).origin, error)
    })
    if (!BUSY.has(reply.status) || !canRepeat || attempt === ATTEMPTS) return reply
    const seconds = Number(reply.headers.get('retry-after') ?? 1)
    await delay(Math.min(Number.isFinite(seconds) ? seconds : 1, RETRY_DELAY_MAX_SECONDS) * 1_000)
  }
}

function unreachable(origin: string, error: unknown): Failure {
  const cause = error instanceof Error ? error.cause : undefined
  const reason = cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error)
  return new Failure(EXIT.unavailable, `${origin} cannot be reached: ${reason}.`, {
    hint: 'Check the URL and the connection, then try again.',
  })
}

/** Returns the data of a reply. @throws Failure with the portal's message */
export async function dataOf<T>(
  call: Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>,
): Promise<T> {
  const { data, error, response } = await call
  if (response.ok && data !== undefined) return data
  throw refusalOf(response, error)
}

const EXIT_OF: Readonly<Record<number, number>> = {
  401: EXIT.access,
  403: EXIT.access,
  404: EXIT.notFound,
  429: EXIT.unavailable,
  503: EXIT.unavailable,
}

function refusalOf({ status, headers, url }: Response, error: unknown): Failure {
  const problem = (typeof error === 'object' && error !== null ? error : {}) as Partial<Schemas['Problem']>
  const scope = /scope="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
  const { code, requestId } = problem
  const exit = EXIT_OF[status] ?? EXIT.failed
  if (status === 401) {
    return new Failure(
      exit,
      'The API key is not valid: it is unknown, expired, revoked or used from another network.',
      {
        hint: 'Create a key on the page API Keys of the portal, then run trainyard login.',
        code,
        requestId,
      },
    )
  }
  const hint =
    scope !== undefined
      ? `Create a key with the scope ${scope} on the page API Keys of the portal, then run trainyard login.`
      : BUSY.has(status)
        ? 'Try again shortly.'
        : undefined
  const message = problem.message ?? `${new URL(url).origin} answered ${status}. It may not be a Trainyard portal.`
  return new Failure(exit, message, { hint, code, requestId })
}
