import { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline'
import { callOf } from '../../emulator/test/recorded-call.ts'
import type { Recording } from '../../emulator/test/recordings.ts'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export const ABSENT: Reply = { status: 404, body: { error: { code: 'ResourceNotFound', message: 'Not found.' } } }

/** Responses to the first, second and further calls of an operation. The last one is repeated. */
export type DefaultReplies = Readonly<Record<string, readonly [Reply, ...Reply[]]>>

/** Provider that answers one operation with recordings and all others with default responses. */
export interface ReplayingProvider {
  readonly http: HttpClient
  readonly fetch: typeof fetch
  readonly requests: readonly string[]
}

/**
 * Answers `operation` with the recordings one after the other (status, headers and body as recorded). After the last
 * recording, and for every other operation, it answers with the default responses.
 */
export function replayingProvider(
  operation: string,
  recorded: readonly Recording[],
  defaults: DefaultReplies,
): ReplayingProvider {
  const requests: string[] = []
  const answer = (method: string, url: string): Reply => {
    const { pathname, search } = new URL(url)
    const { operation: requestedOperation } = callOf(method, pathname + search)
    const before = requests.filter((each) => each === requestedOperation).length
    requests.push(requestedOperation)
    const recording = requestedOperation === operation ? recorded[before] : undefined
    if (recording !== undefined) return recording
    const given = defaults[requestedOperation]
    if (given === undefined) throw new Error(`${requestedOperation} has no default reply (replaying ${operation}).`)
    const index = requestedOperation === operation ? before - recorded.length : before
    return given[Math.min(index, given.length - 1)] ?? given[0]
  }
  return {
    requests: requests,
    http: {
      async sendRequest(request) {
        const { status, headers, body } = answer(request.method, request.url)
        return {
          request,
          status,
          headers: createHttpHeaders({ ...JSON_TYPE, ...headers }),
          bodyAsText: textOf(body),
        }
      },
    },
    async fetch(input, init) {
      const { status, headers, body } = answer(
        init?.method ?? 'GET',
        input instanceof Request ? input.url : input.toString(),
      )
      const text = textOf(body)
      return new Response(text === '' ? null : text, { status, headers: { ...JSON_TYPE, ...headers } })
    },
  }
}

/** Default of a header that recordings with few headers omit. */
const JSON_TYPE = { 'content-type': 'application/json' }

const textOf = (body: unknown): string => (body === null || body === undefined ? '' : JSON.stringify(body))
