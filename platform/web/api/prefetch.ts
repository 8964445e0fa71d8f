import { writeSearch } from '../navigation/search.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /**
   * Key of the request. Use the same key when the same request is retried. By default each creating call gets a new
   * key.
   */
  readonly idempotencyKey?: string
  /** Values of the headers that the call declares in the contract. */
  readonly headers?: Readonly<Record<string, string>>
  /** Reports an ended session as an error instead of leaving the page. */
  readonly staysOnPage?: true
  /** Continues the call when the user leaves the page. */
  readonly outlivesPage?: true
}

export type Send = (module: string, name: string, input: object | undefined, options: CallOptions) => Promise<unknown>

/** Time after which an unused prefetched reply is dropped, in ms. */
const FRESH_MS = 5_000

interface Prefetched {
  readonly queryKey: readonly [module: string, name: string, input: object | undefined]
  readonly answer: Promise<unknown>
  reply?: unknown
}

const prefetched = new Map<string, Prefetched>()
const keyOf = (module: string, name: string, input: object = {}) => `${module}.${name}${writeSearch(input)}`

/** Makes a read-only call in advance. `takePrefetched` passes the reply to its caller. */
export const prefetchBy =
  (send: Send): Send =>
  (module, name, input, options) => {
    const key = keyOf(module, name, input)
    const answer = send(module, name, input, options)
    const call: Prefetched = { queryKey: [module, name, input], answer }
    prefetched.set(key, call)
    const forget = () => setTimeout(() => prefetched.delete(key), FRESH_MS)
    answer.then((reply) => {
      call.reply = reply
      forget()
    }, forget)
    return answer
  }

export const takePrefetched =
  (send: Send): Send =>
  (module, name, input, options) => {
    const key = keyOf(module, name, input)
    const call = prefetched.get(key)
    prefetched.delete(key)
    return call?.answer ?? send(module, name, input, options)
  }

/** Returns the prefetched replies that have arrived and were not taken yet. The first render uses them. */
export function takeReplies(): { queryKey: Prefetched['queryKey']; reply: unknown }[] {
  const arrived = [...prefetched].filter(([, { reply }]) => reply !== undefined)
  for (const [key] of arrived) prefetched.delete(key)
  return arrived.map(([, { queryKey, reply }]) => ({ queryKey, reply }))
}
