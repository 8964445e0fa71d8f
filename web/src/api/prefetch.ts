import { writeSearch } from '#src/navigation/search.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The same key for a repeat of the same request; without one, each call that creates gets its own. */
  readonly idempotencyKey?: string
}

/** Makes a call, by its module and name. */
export type Send = (module: string, name: string, input: object | undefined, options: CallOptions) => Promise<unknown>

/** An answer that nobody took in this time, in ms, is too old to hand out. */
const FRESH_MS = 5_000

const prefetched = new Map<string, Promise<unknown>>()
const keyOf = (module: string, name: string, input: object = {}) => `${module}.${name}${writeSearch(input)}`

/** Makes a call ahead of its caller, to whom `takePrefetched` gives the answer. For calls that only read. */
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

/** Makes a call, or takes its prefetched answer: once, so that the next call gets a new one. */
export const takePrefetched =
  (send: Send): Send =>
  (module, name, input, options) => {
    const key = keyOf(module, name, input)
    const answer = prefetched.get(key)
    prefetched.delete(key)
    return answer ?? send(module, name, input, options)
  }
