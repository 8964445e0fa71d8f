import type { HttpClient, PipelineResponse } from '@azure/core-rest-pipeline'
import { ConsecutiveBreaker, circuitBreaker, handleAll, isBrokenCircuitError } from 'cockatiel'
import { setTimeout as pause } from 'node:timers/promises'
import type { RateLimiter, CallKind } from '@trainyard/platform/server/providers/rate-limiter.ts'
import { RequestDeferred, retryAfterIn } from '@trainyard/platform/server/providers/errors.ts'
import { errorsIn } from './error-body.ts'
import { decisiveError, operationOf } from './outcomes.ts'

/** Longest wait for a turn, in seconds. If the turn comes later, the call fails and the caller retries. */
const MAX_WAIT_SECONDS = 15
const MAX_FAILURES = 10
const BREAK_MS = 5_000

export function rateLimited(wire: HttpClient, limiter: RateLimiter): HttpClient {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: BREAK_MS,
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  })
  return {
    async sendRequest(request) {
      const kind = KINDS[request.method] ?? 'write'
      await waitForTurn(limiter, kind, machineIn(request.url, kind), request.abortSignal)
      try {
        return await breaker.execute(async () => {
          const response = await wire.sendRequest(request)
          if (response.status >= 500) throw new ServerErrorResponse(response)
          const seconds = pauseIn(response)
          if (seconds !== null) await limiter.pause(kind, seconds)
          return response
        })
      } catch (problem) {
        if (problem instanceof ServerErrorResponse) return problem.response
        if (!isBrokenCircuitError(problem)) throw problem
        throw new RequestDeferred('Azure is not responding. The portal tries again in a few seconds.', BREAK_MS / 1000)
      }
    },
  }
}

const KINDS: Readonly<Record<string, CallKind>> = { GET: 'read', HEAD: 'read', DELETE: 'delete' }

/** Response with a server error. The circuit breaker counts it as a failure, and the caller still receives it. */
class ServerErrorResponse extends Error {
  readonly response: PipelineResponse

  constructor(response: PipelineResponse) {
    super(`Azure answered ${response.status}`)
    this.response = response
  }
}

async function waitForTurn(
  limiter: RateLimiter,
  kind: CallKind,
  machine: string | null,
  signal: { readonly aborted: boolean } | undefined,
): Promise<void> {
  for (let waited = 0; ;) {
    const seconds = await limiter.acquire(kind, machine)
    if (seconds === 0) return
    if (waited + seconds > MAX_WAIT_SECONDS || signal?.aborted === true) {
      throw new RequestDeferred(
        "Azure's rate limit is reached. The portal sends the request later.",
        Math.ceil(seconds),
      )
    }
    await pause(seconds * 1000)
    waited += seconds
  }
}

/** Returns the machine's name in lower case: Azure limits the changes of each machine separately. */
function machineIn(url: string, kind: CallKind): string | null {
  if (kind !== 'write') return null
  return /\/virtualmachines\/([^/?]+)/i.exec(url)?.[1]?.toLowerCase() ?? null
}

/** Returns the seconds of a pause for all requests of a kind; null if the response concerns one busy resource. */
function pauseIn(response: PipelineResponse): number | null {
  if (response.status !== 429) return null
  const { method, url } = response.request
  const answer = { operation: operationOf(method, url), status: 429 }
  const { row } = decisiveError(answer, errorsIn(response.bodyAsText))
  if (row !== undefined && row.outcome.is !== 'throttled') return null
  return retryAfterIn(response.headers.get('retry-after'))
}
