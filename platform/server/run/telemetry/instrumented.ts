import type { RateLimiter } from '../../providers/rate-limiter.ts'
import type { Meters } from './meters.ts'

/** Counts and times each operation by its name. Returns the port unchanged without metrics. */
export function instrumented<Port extends object>(provider: string, port: Port, meters: Meters | null): Port {
  if (meters === null) return port
  return new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function' || typeof name !== 'string') return member
      return (...value: unknown[]): unknown => {
        const from = performance.now()
        const over = (outcome: string) =>
          meters.countProviderCall(provider, name, outcome, (performance.now() - from) / 1000)
        return reportOutcome(Reflect.apply(member, target, value), over)
      }
    },
  })
}

export const instrumentedOrNull = <Port extends object>(
  provider: string,
  port: Port | null,
  meters: Meters | null,
): Port | null => (port === null ? null : instrumented(provider, port, meters))

/** Reports the outcome of a call. A synchronous result is not reported, because no request was sent. */
function reportOutcome(answer: unknown, over: (outcome: string) => void): unknown {
  if (answer instanceof Promise) {
    answer.then(
      () => over('ok'),
      (error: unknown) => over(outcomeOf(error)),
    )
    return answer
  }
  return isIterable(answer) ? reportIterable(answer, over) : answer
}

const isIterable = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

async function* reportIterable(answer: AsyncIterable<unknown>, over: (outcome: string) => void): AsyncGenerator {
  let outcome = 'ok'
  try {
    for await (const each of answer) yield each
  } catch (error) {
    outcome = outcomeOf(error)
    throw error
  } finally {
    over(outcome)
  }
}

function outcomeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'cancelled'
  return 'kind' in error && typeof error.kind === 'string' ? error.kind : 'error'
}

export function instrumentedRateLimiter(gate: RateLimiter, meters: Meters | null): RateLimiter {
  if (meters === null) return gate
  return {
    async acquire(kind, machine) {
      const seconds = await gate.acquire(kind, machine)
      if (seconds > 0) meters.countDeferred(kind)
      return seconds
    },
    async pause(kind, seconds) {
      meters.countThrottled(kind, seconds)
      await gate.pause(kind, seconds)
    },
  }
}
