import type { HttpClient, PipelineResponse } from '@azure/core-rest-pipeline'
import { ConsecutiveBreaker, circuitBreaker, handleAll, isBrokenCircuitError } from 'cockatiel'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallGate, CallKind } from '../call-gate.ts'
import { NotItsTurn, retryAfterIn } from '../errors.ts'
import { errorIn } from './error-body.ts'
import { operationOf, outcomeOf } from './outcomes.ts'

/** A turn this near is waited for; a later one is left to the caller's next try. */
const PATIENCE_SECONDS = 15
/** So many calls in a row without a sound answer, and Azure is left alone for a while. */
const FAILURES = 10
const REST_MS = 5_000

/** Stands before the wire: no request goes faster than the gate lets it, none while Azure asked for a pause. */
export function gated(wire: HttpClient, gate: CallGate): HttpClient {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: REST_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  })
  return {
    async sendRequest(request) {
      const kind = KINDS[request.method] ?? 'write'
      await turn(gate, kind, machineIn(request.url, kind), request.abortSignal)
      try {
        return await breaker.execute(async () => {
          const response = await wire.sendRequest(request)
          if (response.status >= 500) throw new Unsound(response)
          const seconds = pauseIn(response)
          if (seconds !== null) await gate.close(kind, seconds)
          return response
        })
      } catch (problem) {
        if (problem instanceof Unsound) return problem.response
        if (!isBrokenCircuitError(problem)) throw problem
        throw new NotItsTurn('Azure has not answered for a while; it is asked again in a few seconds.', REST_MS / 1000)
      }
    },
  }
}

const KINDS: Readonly<Record<string, CallKind>> = { GET: 'read', HEAD: 'read', DELETE: 'delete' }

/** An answer that says that Azure is not well: it counts as none, and is handed on all the same. */
class Unsound extends Error {
  readonly response: PipelineResponse

  constructor(response: PipelineResponse) {
    super(`Azure answered ${response.status}`)
    this.response = response
  }
}

async function turn(
  gate: CallGate,
  kind: CallKind,
  machine: string | null,
  signal: { readonly aborted: boolean } | undefined,
): Promise<void> {
  for (let waited = 0; ;) {
    const seconds = await gate.pass(kind, machine)
    if (seconds === 0) return
    if (waited + seconds > PATIENCE_SECONDS || signal?.aborted === true) {
      throw new NotItsTurn('Azure takes only so many requests a minute.', Math.ceil(seconds))
    }
    await pause(seconds * 1000)
    waited += seconds
  }
}

/** `.../virtualMachines/{name}` and what is asked of it, in lower case: Azure limits the changes of each by itself. */
function machineIn(url: string, kind: CallKind): string | null {
  if (kind !== 'write') return null
  return /\/virtualmachines\/([^/?]+)/i.exec(url)?.[1]?.toLowerCase() ?? null
}

/** Seconds of a pause that is meant for all requests of a kind; null: none, or it is about one thing that is busy. */
function pauseIn(response: PipelineResponse): number | null {
  if (response.status !== 429) return null
  const { method, url } = response.request
  const outcome = outcomeOf({ operation: operationOf(method, url), status: 429, ...errorIn(response.bodyAsText) })
  if (outcome.is !== 'throttled') return null
  return retryAfterIn(response.headers.get('retry-after'))
}
