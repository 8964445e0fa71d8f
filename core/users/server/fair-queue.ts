import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { lineOf } from '@trainyard/platform/server/core/network.ts'

export interface QueuedClient {
  /** True for a known browser or a session. Such a client waits while at most one unknown client is served. */
  readonly known: boolean
  readonly address: string
  readonly user: string
  /** Aborts when the client closes its connection. The client then leaves the queue. */
  readonly closed?: AbortSignal
}

export interface FairQueueLimits {
  readonly concurrency: number
  /** Maximum number of waiting clients. Further ones are rejected with 429. */
  readonly waitingMax: number
  readonly waitingPerAddressMax: number
  /** Maximum milliseconds to wait, after which the client is rejected with 429. */
  readonly waitMs?: number
}

/** Default of `waitMs`. A class of 200 behind one address waits less, users and proxies wait longer. */
const WAIT_MS = 20_000

interface Waiter {
  readonly path: readonly string[]
  /** The lane with the address, and with the line of the address. */
  readonly crowds: readonly [string, string]
  call(): void
  refuse(problem: Problem): void
}

/**
 * Creates a queue that alternates between known and unknown clients, then between lines, because one line may have 65,536
 * networks of IPv6, then between addresses, then between users.
 */
export function createFairQueue({ concurrency, waitingMax, waitingPerAddressMax, waitMs = WAIT_MS }: FairQueueLimits) {
  const queue = new RoundRobinQueue<Waiter>()
  const crowds = new Map<string, Set<Waiter>>()
  let working = 0
  let queued = 0

  const leave = (waiter: Waiter): void => {
    queued -= 1
    for (const name of waiter.crowds) {
      const crowd = crowds.get(name)!
      crowd.delete(waiter)
      if (crowd.size === 0) crowds.delete(name)
    }
  }

  /** Rejects a waiting client. A client that is already being served keeps its slot. */
  const drop = (waiter: Waiter, problem: Problem): void => {
    if (crowds.get(waiter.crowds[0])?.has(waiter) !== true) return
    queue.remove(waiter.path, waiter)
    leave(waiter)
    waiter.refuse(problem)
  }

  const largestUnknownCrowd = (): ReadonlySet<Waiter> | undefined =>
    [...crowds].filter(([name]) => name.startsWith(`${UNKNOWN} line`)).sort(([, a], [, b]) => b.size - a.size)[0]?.[1]

  const makeRoom = (known: boolean, [address, line]: Waiter['crowds']): void => {
    if ((crowds.get(address)?.size ?? 0) >= waitingPerAddressMax) throw full()
    if (queued < waitingMax) return
    const largest = largestUnknownCrowd()
    if (largest === undefined || (!known && largest.size <= (crowds.get(line)?.size ?? 0) + 1)) throw full()
    drop([...largest].at(-1)!, full())
  }

  const wait = async ({ known, address, user, closed }: QueuedClient): Promise<void> => {
    if (closed?.aborted === true) throw clientLeft()
    const lane = known ? KNOWN : UNKNOWN
    const line = lineOf(address)
    const of: Waiter['crowds'] = [`${lane} address ${address}`, `${lane} line ${line}`]
    makeRoom(known, of)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { path: [lane, line, address, user], crowds: of, call: resolve, refuse: reject }
    queued += 1
    for (const name of of) crowds.set(name, (crowds.get(name) ?? new Set()).add(waiter))
    queue.add(waiter.path, waiter)
    const dropLeft = () => drop(waiter, clientLeft())
    closed?.addEventListener('abort', dropLeft, { once: true })
    const deadline = setTimeout(() => drop(waiter, full()), waitMs)
    await promise.finally(() => {
      clearTimeout(deadline)
      closed?.removeEventListener('abort', dropLeft)
    })
  }

  return async <T>(client: QueuedClient, callback: () => Promise<T>): Promise<T> => {
    // A finished call passes its slot to the next one, so `working` does not change.
    if (working >= concurrency) await wait(client)
    else working += 1
    try {
      return await callback()
    } finally {
      const next = queue.take()
      if (next === undefined) working -= 1
      else {
        leave(next)
        next.call()
      }
    }
  }
}

const KNOWN = 'known'
const UNKNOWN = 'unknown'

/** The client has left, so no client receives the result. */
const clientLeft = (): Problem => new Problem('unavailable', 'The client closed the connection while it waited.')

const full = (): Problem =>
  new Problem('tooMany', 'Too many users are logging in right now. Please try again shortly.', 5)

/** Queue of items with paths of names. At every level of the path, the names take turns. */
class RoundRobinQueue<T> {
  // Items, keyed by the next name of their path. A map preserves the order of insertion: the first key is the next to
  // run, and is then inserted again at the end.
  readonly #queues = new Map<string, RoundRobinQueue<T>>()
  readonly #items: T[] = []

  add(path: readonly string[], item: T): void {
    const [name, ...rest] = path
    if (name === undefined) {
      this.#items.push(item)
      return
    }
    const below = this.#queues.get(name) ?? new RoundRobinQueue<T>()
    this.#queues.set(name, below)
    below.add(rest, item)
  }

  take(): T | undefined {
    if (this.#items.length > 0) return this.#items.shift()
    const first = this.#queues.entries().next().value
    if (first === undefined) return undefined
    const [name, below] = first
    this.#queues.delete(name)
    const item = below.take()
    if (!below.isEmpty()) this.#queues.set(name, below)
    return item
  }

  remove(path: readonly string[], item: T): void {
    const [name, ...rest] = path
    if (name === undefined) {
      const at = this.#items.indexOf(item)
      if (at >= 0) this.#items.splice(at, 1)
      return
    }
    const below = this.#queues.get(name)
    below?.remove(rest, item)
    if (below?.isEmpty()) this.#queues.delete(name)
  }

  isEmpty(): boolean {
    return this.#items.length === 0 && this.#queues.size === 0
  }
}
