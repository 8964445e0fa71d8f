import { writeSearch } from '#src/navigation/search.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Give the same key for a repeat of the same wish; without one, each call of a creating kind gets its own. */
  readonly idempotencyKey?: string
}

/** Makes a call, by its module and name. */
export type Send = (module: string, name: string, input: object | undefined, options: CallOptions) => Promise<unknown>

/** An answer that nobody took in this time, in ms, would be old for whoever came then. */
const FRESH_MS = 5_000

const prefetched = new Map<string, Promise<unknown>>()
const keyOf = (module: string, name: string, input: object = {}) => `${module}.${name}${writeSearch(input)}`

/** Makes a call that somebody will soon make: `takePrefetched` gives its answer out. For calls that only read. */
export const prefetchBy =
  (send: Send): Send =>
  (module, name, input, options) => {
    const key = keyOf(module, name, input)
    const answer = send(module, name, input, options)
    prefetched.set(key, answer)
    const forget = () => setTimeout(() => prefetched.delete(key), FRESH_MS)
    answer.then(forget, forget)
    return answer
  }

/** Makes a call, or takes the answer of one that was prefetched: once, so that whoever asks again gets a new one. */
export const takePrefetched =
  (send: Send): Send =>
  (module, name, input, options) => {
    const key = keyOf(module, name, input)
    const answer = prefetched.get(key)
    prefetched.delete(key)
    return answer ?? send(module, name, input, options)
  }
