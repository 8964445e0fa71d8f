import type { Contract } from '../../contract/contract.ts'
import type { BodyOf, Call, QueryOf, ReplyOf } from '../../contract/call.ts'
import { calls } from 'virtual:calls'
import { CALLS, connection } from './connection.ts'
import { retryAfterOf } from './backoff.ts'
import { ApiError } from './error.ts'
import { newId } from './new-id.ts'
import { refused } from './refusals.ts'
import { noteVersion } from './version.ts'
import { writeSearch } from '../navigation/search.ts'
import { reauthentication } from '../session/reauthentication.ts'
import { readSession } from '../session/session.ts'

/** Timeout of a read-only call, in ms. */
const READ_LIMIT_MS = 30_000

/** Time without input, in ms, after which the user counts as absent. */
const IDLE_MS = 60_000

let touchedAt = Date.now()
for (const touch of ['pointerdown', 'keydown', 'wheel']) {
  // The build renders pages without a window.
  globalThis.addEventListener?.(touch, () => void (touchedAt = Date.now()), { capture: true, passive: true })
}

/** Returns true while the user is active. Background calls of an inactive page do not extend the session. */
const isUserActive = (): boolean => Date.now() - touchedAt < IDLE_MS

export interface CallOptions {
  readonly signal?: AbortSignal
  /**
   * Key of the request. Use the same key when the same request is retried. By default each creating call gets a new
   * key.
   */
  readonly idempotencyKey?: string
  /** Values of the headers that the call declares in the contract. */
  readonly headers?: Readonly<Record<string, string>>
  /** Reports an ended session as an error instead of leaving the page. */
  readonly staysOnPage?: true
  /** Continues the call when the user leaves the page. */
  readonly outlivesPage?: true
}

type Send = (module: string, name: string, input: object | undefined, options: CallOptions) => Promise<unknown>

type Input<C extends Call> = C extends { query: object }
  ? QueryOf<C>
  : C extends { body: object }
    ? BodyOf<C>
    : undefined
type Caller<I, R> = [I] extends [undefined]
  ? (input?: undefined, options?: CallOptions) => Promise<R>
  : (input: I, options?: CallOptions) => Promise<R>

export type Reader<I, R> = Caller<I, R> & { readonly key: readonly [module: string, name: string] }

export type Api = {
  readonly [M in keyof Contract]: {
    readonly [
      K in keyof Contract[M] as Contract[M][K] extends { kind: 'stream' | 'file' } ? never : K
    ]: Contract[M][K] extends {
      route: `GET ${string}`
    } & Call
      ? Reader<Input<Contract[M][K]>, ReplyOf<Contract[M][K]>>
      : Contract[M][K] extends Call
        ? Caller<Input<Contract[M][K]>, ReplyOf<Contract[M][K]>>
        : never
  }
}

export const API_BASE = '/api'

function limited(call: { readonly method: string }, { signal }: CallOptions): AbortSignal | undefined {
  if (call.method !== 'GET') return signal
  const limit = AbortSignal.timeout(READ_LIMIT_MS)
  return signal ? AbortSignal.any([signal, limit]) : limit
}

const NOT_CONFIRMED = 'Not changed: confirmation cancelled.'

const fetchCall: Send = async (module, name, input, options) => {
  const call = calls[module]![name]!
  const headers = new Headers({ ...options.headers, accept: 'application/json' })
  const uid = readSession()?.uid
  // An open call must not fail because of an old session in the storage.
  if (uid && !call.isOpen) headers.set('authorization', `Bearer ${uid}`)
  if (!isUserActive()) headers.set('x-unattended', '1')
  if (call.creates) headers.set('idempotency-key', options.idempotencyKey ?? newId())
  if (call.input === 'body') headers.set('content-type', 'application/json')
  const query = call.input === 'query' && input ? writeSearch(input) : ''
  const signal = limited(call, options)
  const address = API_BASE + call.path + query
  const reads = call.method === 'GET'
  const refusal = reads ? refused.find(address) : undefined
  if (refusal?.error) throw refusal.error
  const request = fetch(address, {
    method: call.method,
    headers,
    credentials: 'same-origin',
    body: call.input === 'body' ? JSON.stringify(input) : undefined,
    keepalive: options.outlivesPage,
    signal,
  })
  const failUnanswered = (cause: unknown) => {
    const { aborted, reason } = signal ?? {}
    if (aborted && (reason as Error).name !== 'TimeoutError') throw cause
    connection.lose(CALLS, Date.now())
    throw new ApiError('The portal did not answer. Check your connection and try again.', 0, 'unreachable')
  }
  const response = await request.catch(failUnanswered)
  noteVersion(response.headers.get('x-web-version'))
  if (response.status === 401 && !call.isOpen && !options.staysOnPage) {
    location.assign('/logout')
    throw new ApiError('Your session has ended.', 401, 'signedOut')
  }
  // The time limit or the connection can end within the body of the reply.
  const reply: unknown = await response.json().catch(reads && response.ok ? failUnanswered : () => null)
  // The reply is not JSON, so it is from a proxy that could not connect to the portal.
  if (reply === null && response.status >= 500) connection.lose(CALLS, Date.now())
  else connection.restore(CALLS)
  if (response.ok) {
    if (call.reads) return reply
    refused.forget()
    // A proxy can remove the body, which says only what was done.
    return reply ?? {}
  }
  const apiError = errorOf(response, reply)
  if (apiError.code === 'passwordChange') location.assign('/password')
  // Repeats the call once the user has confirmed their identity in the dialog of the shell.
  if (apiError.code === 'confirmFirst') {
    const confirmed = await reauthentication.request()
    if (confirmed) return fetchCall(module, name, input, options)
    if (confirmed === false) throw new ApiError(NOT_CONFIRMED, apiError.status, apiError.code, null, apiError.requestId)
  }
  // The server refuses every other call until the user has set up a second factor on that page.
  if (apiError.code === 'secondFactorDue' && location.pathname !== '/account') location.assign('/account')
  if (reads && response.status < 500) refused.note(address, apiError)
  throw apiError
}

export function errorOf(response: Response, reply: unknown): ApiError {
  const { code, message, error, requestId } = (reply ?? {}) as Partial<
    Record<'code' | 'message' | 'error' | 'requestId', string>
  >
  return new ApiError(
    message ?? error ?? `The portal answered with an error (${response.status}).`,
    response.status,
    code ?? 'unknown',
    retryAfterOf(response),
    requestId ?? null,
    reply,
  )
}

/** Returns an object with a function for each call of the contract. */
export const apiBy = (send: Send) =>
  Object.fromEntries(
    Object.entries(calls).map(([module, names]) => [
      module,
      Object.fromEntries(
        Object.keys(names).map((name) => [
          name,
          Object.assign((input?: object, options: CallOptions = {}) => send(module, name, input, options), {
            key: [module, name],
          }),
        ]),
      ),
    ]),
  ) as unknown as Api

export const api = apiBy(fetchCall)

export function streamUrl<M extends keyof Contract>(
  module: M,
  name: keyof Contract[M] & string,
  query: object,
): string {
  return API_BASE + calls[module]![name]!.path + writeSearch(query)
}
