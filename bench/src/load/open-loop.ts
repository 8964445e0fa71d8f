import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { percentile } from '../figures.ts'

const REPLY_LIMIT_MS = 30_000
/** Maximum number of calls sent before the event loop handles replies. */
const BATCH = 32
/**
 * Connections by origin. Undici's dispatcher needs less CPU time per call than Node's `http.request`, so that the load
 * generator leaves the cores to the API.
 */
const pools = new Map<string, Pool>()

function poolOf(origin: string): Pool {
  let pool = pools.get(origin)
  if (pool === undefined) {
    pool = new Pool(origin, { connections: null, headersTimeout: REPLY_LIMIT_MS, bodyTimeout: REPLY_LIMIT_MS })
    pools.set(origin, pool)
  }
  return pool
}

export async function closeConnections(): Promise<void> {
  const open = [...pools.values()]
  pools.clear()
  await Promise.all(open.map((pool) => pool.destroy()))
}

export interface BenchCall {
  readonly url: string
  readonly session?: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
}

/** Resolves with the status of a complete reply, or 0 if there was none. */
export const sendCall = ({ url, session, method = 'GET', body }: BenchCall): Promise<number> =>
  new Promise((resolve) => {
    const headers = {
      'accept-encoding': 'br, gzip',
      ...(session !== undefined && { authorization: `Bearer ${session}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const pathStart = url.indexOf('/', url.indexOf('//') + 2)
    let status = 0
    poolOf(url.slice(0, pathStart)).dispatch(
      { path: url.slice(pathStart), method, headers, body: body ?? null },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode
        },
        onResponseData() {},
        onResponseEnd: () => resolve(status),
        onResponseError: () => resolve(0),
      },
    )
  })

export interface Step {
  readonly sent: number
  readonly answeredPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly longestMs: number
  readonly errors: number
}

/**
 * Sends calls when they are due, at most a millisecond late if the machine permits. Durations count from the due time,
 * so that waiting is included.
 */
export async function openLoop(rate: number, seconds: number, next: (call: number) => BenchCall): Promise<Step> {
  const startedAt = performance.now()
  const times: number[] = []
  let errors = 0
  const sent = Math.round(rate * seconds)
  const replies: Promise<void>[] = []
  for (let call = 0; call < sent;) {
    const wait = startedAt + (1_000 * call) / rate - performance.now()
    await (wait > 0 ? pause(wait) : setImmediate())
    for (let batch = 0; batch < BATCH && call < sent; batch++) {
      const due = startedAt + (1_000 * call) / rate
      if (due > performance.now()) break
      replies.push(
        sendCall(next(call++)).then((status) => {
          if (status === 200) times.push(performance.now() - due)
          else errors++
        }),
      )
    }
  }
  await Promise.all(replies)
  const elapsedSeconds = (performance.now() - startedAt) / 1_000
  return {
    sent,
    answeredPerSecond: times.length / elapsedSeconds,
    p50: times.length === 0 ? Number.NaN : percentile(times, 50),
    p99: times.length === 0 ? Number.NaN : percentile(times, 99),
    longestMs: times.reduce((longestMs, time) => Math.max(longestMs, time), 0),
    errors,
  }
}
