import { writeSearch } from './search.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Give the same key for a repeat of the same wish; without one, each call of a creating kind gets its own. */
  readonly idempotencyKey?: string
}

/** Makes a call, by its module and name. */
export type Send = (module: string, name: string, input: object | undefined, options: CallOptions) => Promise<unknown>

/** An answer that nobody took in this time, in ms, would be old for whoever came then. */
const KEPT_MS = 5_000

const begun = new Map<string, Promise<unknown>>()
const keyOf = (module: string, name: string, input: object = {}) => `${module}.${name}${writeSearch(input)}`

/** Begins a call that somebody will soon make: `takeBegun` gives its answer out. For calls that only read. */
export const begin =
  (send: Send): Send =>
  (module, name, input, options) => {
    const key = keyOf(module, name, input)
    const answer = send(module, name, input, options)
    begun.set(key, answer)
    const forget = () => setTimeout(() => begun.delete(key), KEPT_MS)
    answer.then(forget, forget)
    return answer
  }

/** Makes a call, or takes the answer of one that was begun: once, so that whoever asks again gets a new one. */
export const takeBegun =
  (send: Send): Send =>
  (module, name, input, options) => {
    const key = keyOf(module, name, input)
    const answer = begun.get(key)
    begun.delete(key)
    return answer ?? send(module, name, input, options)
  }
