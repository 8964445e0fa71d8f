import { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline'
import { callOf } from '@trainyard/emulator/test/recorded-call.ts'
import type { Recording } from '@trainyard/emulator/test/recordings.ts'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export const ABSENT: Reply = { status: 404, body: { error: { code: 'ResourceNotFound', message: 'Not found.' } } }

/** The replies of an operation at its first, second, ... call; the last again and again. */
export type Around = Readonly<Record<string, readonly [Reply, ...Reply[]]>>

/** A far end that answers one operation with recordings, and what a call needs besides with what stands around. */
export interface FarSide {
  readonly http: HttpClient
  readonly fetch: typeof fetch
  /** Operations in the order in which they were asked. */
  readonly asked: readonly string[]
}

/**
 * `operation` is answered with the recordings in turn, each as it was: status, headers, body. Once they are used up,
 * it is answered like the rest: by what stands around.
 */
export function farSide(operation: string, recorded: readonly Recording[], around: Around): FarSide {
  const asked: string[] = []
  const answer = (method: string, url: string): Reply => {
    const { pathname, search } = new URL(url)
    const { operation: called } = callOf(method, pathname + search)
    const before = asked.filter((one) => one === called).length
    asked.push(called)
    const recording = called === operation ? recorded[before] : undefined
    if (recording !== undefined) return recording
    const given = around[called]
    if (given === undefined) throw new Error(`Nothing around ${operation} answers ${called}.`)
    const turn = called === operation ? before - recorded.length : before
    return given[Math.min(turn, given.length - 1)] ?? given[0]
  }
  return {
    asked,
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

/** The recordings leave out this header where they leave out most. */
const JSON_TYPE = { 'content-type': 'application/json' }

const textOf = (body: unknown): string => (body === null || body === undefined ? '' : JSON.stringify(body))
