import type { AdaptiveConcurrency } from './concurrency.ts'

export type ShedReason = 'queue full' | 'waited too long' | 'client left'

export interface GateClass {
  /** Maximum milliseconds in the queue. */
  readonly waitMs: number
  /** Maximum milliseconds in the queue while a queue persists. */
  readonly busyWaitMs: number
}

export interface GateOptions {
  /** Classes, the most important first. */
  readonly classes: readonly GateClass[]
  readonly concurrency: Pick<AdaptiveConcurrency, 'limit' | 'reached' | 'observe'>
  readonly waitingMax: number
  readonly now?: () => number
}

interface Waiter {
  readonly since: number
  readonly rank: number
  start(): void
  shed(reason: ShedReason): void
}

/**
 * Milliseconds for which a queue must persist before the process counts as overloaded. A class that starts causes a
 * shorter queue.
 */
const PERSISTS_MS = 500
const SWEEP_MS = 50

/** A call that runs, waits or was refused. */
export interface Admission {
  /** Frees the call's place among the running calls, or in the queue. Further calls have no effect. */
  release(): void
}

/**
 * Bounded queue in front of a limited number of running calls. Calls of a more important class start first. A short
 * queue is served in order. While a queue persists, the newest call starts first and the deadline is shorter: otherwise
 * every call would wait until its client has given up.
 */
export class Gate {
  readonly #options: GateOptions
  readonly #now: () => number
  readonly #queues: Waiter[][]
  #running = 0
  #waiting = 0
  #queueSince: number | null = null
  #sweep: NodeJS.Timeout | null = null

  constructor(options: GateOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#queues = options.classes.map(() => [])
  }

  get state(): { readonly running: number; readonly waiting: number; readonly limit: number } {
    return { running: this.#running, waiting: this.#waiting, limit: this.#options.concurrency.limit }
  }

  get isFull(): boolean {
    return this.#waiting >= this.#options.waitingMax
  }

  /** True if calls have been waiting without interruption for half a second. */
  get isOverloaded(): boolean {
    return this.#queueSince !== null && this.#now() - this.#queueSince >= PERSISTS_MS
  }

  /**
   * Calls `admitted` once the call may run, or `refused`.
   * @param rank index of the call's class
   */
  enter(rank: number, admitted: () => void, refused: (reason: ShedReason) => void): Admission {
    let startedAt: number | null = null
    const start = () => {
      startedAt = this.#now()
      this.#running += 1
      admitted()
    }
    const end = () => {
      if (startedAt === null) return
      const now = this.#now()
      this.#options.concurrency.observe(now - startedAt, now)
      startedAt = null
      this.#running -= 1
      this.#startWaiting()
    }
    if (this.#running < this.#options.concurrency.limit && this.#waiting === 0) {
      start()
      return { release: end }
    }
    this.#options.concurrency.reached()
    if (this.#waiting >= this.#options.waitingMax && !this.#makeRoom(rank)) {
      refused('queue full')
      return { release: () => {} }
    }
    const waiter: Waiter = { since: this.#now(), rank, start, shed: refused }
    this.#queues[rank]!.push(waiter)
    this.#waiting += 1
    this.#queueSince ??= waiter.since
    this.#sweep ??= setInterval(() => this.expire(), SWEEP_MS).unref()
    return {
      release: () => {
        this.#refuse(waiter, 'client left')
        end()
      },
    }
  }

  /** Refuses the calls whose deadline has passed. */
  expire(): void {
    const now = this.#now()
    const isOverloaded = this.isOverloaded
    for (const [rank, queue] of this.#queues.entries()) {
      const { waitMs, busyWaitMs } = this.#options.classes[rank]!
      const maxWaitMs = isOverloaded ? busyWaitMs : waitMs
      // The oldest calls are first.
      while (queue.length > 0 && now - queue[0]!.since >= maxWaitMs) this.#refuse(queue[0]!, 'waited too long')
    }
  }

  /** Refuses all waiting calls. */
  close(): void {
    for (const queue of this.#queues) while (queue.length > 0) this.#refuse(queue[0]!, 'waited too long')
  }

  /** Removes a call from the queue and refuses it. Has no effect on a call that no longer waits. */
  #refuse(waiter: Waiter, reason: ShedReason): void {
    const queue = this.#queues[waiter.rank]!
    const position = queue.indexOf(waiter)
    if (position === -1) return
    queue.splice(position, 1)
    this.#leaveQueue()
    waiter.shed(reason)
  }

  /** Refuses the oldest call of the least important class, unless that class is more important than `rank`. */
  #makeRoom(rank: number): boolean {
    const lowest = this.#queues.findLastIndex((queue) => queue.length > 0)
    if (lowest < rank) return false
    this.#refuse(this.#queues[lowest]![0]!, 'queue full')
    return true
  }

  #startWaiting(): void {
    while (this.#waiting > 0 && this.#running < this.#options.concurrency.limit) {
      const queue = this.#queues.find(({ length }) => length > 0)!
      const next = (this.isOverloaded ? queue.pop() : queue.shift())!
      this.#leaveQueue()
      next.start()
    }
  }

  #leaveQueue(): void {
    this.#waiting -= 1
    if (this.#waiting > 0) return
    this.#queueSince = null
    if (this.#sweep !== null) clearInterval(this.#sweep)
    this.#sweep = null
  }
}
