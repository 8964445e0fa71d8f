import { writeSearch } from '#src/navigation/search.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /**
   * Key of the request. Use the same key when the same request is retried. By default each creating call gets a new
   * key.
   */
  readonly idempotencyKey?: string
  /** Values of the headers that the call declares in the contract. */
  readonly headers?: Readonly<Record<string, string>>
}

export type Send = (module: string, name: string, input: object | undefined, options: CallOptions) => Promise<unknown>

/** Time after which an unused prefetched reply is dropped, in ms. */
const FRESH_MS = 5_000

const prefetched = new Map<string, Promise<unknown>>()
const keyOf = (module: string, name: string, input: object = {}) => `${module}.${name}${writeSearch(input)}`

/** Makes a read-only call in advance. `takePrefetched` passes the reply to its caller. */
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

export const takePrefetched =
  (send: Send): Send =>
  (module, name, input, options) => {
    const key = keyOf(module, name, input)
    const answer = prefetched.get(key)
    prefetched.delete(key)
    return answer ?? send(module, name, input, options)
  }
