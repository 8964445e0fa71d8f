import type { Claimant } from '../shares.ts'

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
  /** Maximum number of running calls. */
  readonly limit: number
  /** Maximum number of running calls of one user, and of one organisation. */
  readonly shares: { readonly user: number; readonly organisation: number }
  readonly waitingMax: number
  /** True if callers who are not known have the share of one organisation together. */
  readonly strangersShare?: boolean
  readonly now?: () => number
}

/** The keys of the user and of the organisation of a call. A network counts as both. */
interface Owners {
  readonly user: string
  readonly organisation: string
  readonly isUser: boolean
}

interface Waiter {
  readonly since: number
  readonly rank: number
  readonly owners: Owners
  start(): void
  shed(reason: ShedReason): void
}

/**
 * Milliseconds for which a queue must persist before the process counts as overloaded. A class that starts causes a
 * shorter queue.
 */
const PERSISTS_MS = 500
const SWEEP_MS = 50
/** Part of the places that one organisation may use, however few there are. */
const LARGEST_SHARE = 0.75
/**
 * Waiting calls of one user from which the user's calls run one at a time: far more than a page makes. Many users may
 * share a network.
 */
const FLOOD = 16

/** A call that runs, waits or was refused. */
export interface Admission {
  /** Frees the call's place among the running calls, or in the queue. Further calls have no effect. */
  release(): void
}

/** Numbers of calls of each user and each organisation. */
class CallCounter {
  readonly #counts = new Map<string, number>()

  add({ user, organisation }: Owners, change: 1 | -1): void {
    for (const key of [user, organisation]) {
      const count = (this.#counts.get(key) ?? 0) + change
      if (count === 0) this.#counts.delete(key)
      else this.#counts.set(key, count)
    }
  }

  user({ user }: Owners): number {
    return this.#counts.get(user) ?? 0
  }

  organisation({ organisation }: Owners): number {
    return this.#counts.get(organisation) ?? 0
  }

  /** Compares two callers, first by the calls of their organisations. Positive if the first has more. */
  compare(one: Owners, other: Owners): number {
    return this.organisation(one) - this.organisation(other) || this.user(one) - this.user(other)
  }
}

/**
 * Bounded queue in front of a limited number of running calls. Calls of the organisation with the fewest running calls
 * start first, then those of a more important class, then those of the user with the fewest running calls, then the oldest.
 * While a queue persists, the deadline is shorter: otherwise every call would wait until its client has given up.
 */
export class Gate {
  readonly #options: GateOptions
  readonly #now: () => number
  readonly #queues: Waiter[][]
  readonly #runningCalls = new CallCounter()
  readonly #waitingCalls = new CallCounter()
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
    return { running: this.#running, waiting: this.#waiting, limit: this.#options.limit }
  }

  get isFull(): boolean {
    return this.#waiting >= this.#options.waitingMax
  }

  /** True if a new call of the class starts at once, or if a waiting call of the full queue makes room for it. */
  makesRoomFor(rank: number, claimant: Claimant): boolean {
    const owners = ownersOf(claimant, this.#options.strangersShare)
    return (
      (this.#hasFreePlace && this.#hasShare(owners)) ||
      this.#greedier(owners) !== undefined ||
      this.#queues.findLastIndex((queue) => queue.length > 0) > rank
    )
  }

  /** True if calls have been waiting for a free place without interruption for half a second. */
  get isOverloaded(): boolean {
    return this.#queueSince !== null && this.#now() - this.#queueSince >= PERSISTS_MS
  }

  /**
   * Calls `admitted` once the call may run, or `refused`.
   * @param rank index of the call's class
   */
  enter(rank: number, claimant: Claimant, admitted: () => void, refused: (reason: ShedReason) => void): Admission {
    const owners = ownersOf(claimant, this.#options.strangersShare)
    let isRunning = false
    const start = () => {
      isRunning = true
      this.#running += 1
      this.#runningCalls.add(owners, 1)
      admitted()
    }
    const end = () => {
      if (!isRunning) return
      isRunning = false
      this.#running -= 1
      this.#runningCalls.add(owners, -1)
      this.#startWaiting()
    }
    // While a place is free, all waiting calls have reached the share of their caller.
    if (this.#hasFreePlace && this.#hasShare(owners)) {
      start()
      return { release: end }
    }
    if (this.isFull) {
      const other = this.#greedier(owners) ?? this.#lessImportant(rank, owners)
      if (other === undefined) {
        refused('queue full')
        return { release: () => {} }
      }
      this.#refuse(other, 'queue full')
    }
    const waiter: Waiter = { since: this.#now(), rank, owners, start, shed: refused }
    this.#queues[rank]!.push(waiter)
    this.#waiting += 1
    this.#waitingCalls.add(owners, 1)
    if (!this.#hasFreePlace) this.#queueSince ??= waiter.since
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
    this.#leaveQueue(waiter)
    waiter.shed(reason)
    // A caller with fewer waiting calls may run more of them.
    this.#startWaiting()
  }

  get #hasFreePlace(): boolean {
    return this.#running < this.#options.limit
  }

  /** True if the user and the organisation may run another call. */
  #hasShare(owners: Owners): boolean {
    const { shares, limit } = this.#options
    const largest = Math.ceil(limit * LARGEST_SHARE)
    const user = this.#waitingCalls.user(owners) >= FLOOD && owners.isUser ? 1 : shares.user
    return (
      this.#runningCalls.organisation(owners) < Math.min(shares.organisation, largest) &&
      this.#runningCalls.user(owners) < Math.min(user, largest)
    )
  }

  /** The waiting calls: the least important class first, and of a class the oldest. */
  get #leastImportantFirst(): Waiter[] {
    return this.#queues.toReversed().flat()
  }

  /** Returns a waiting call of the organisation or the user with more waiting calls than the caller will have. */
  #greedier(owners: Owners): Waiter | undefined {
    const waiting = this.#leastImportantFirst
    const most = waiting
      .map((waiter) => waiter.owners)
      .reduce((found, other) => (this.#waitingCalls.compare(other, found) > 0 ? other : found))
    const isGreedier =
      most.organisation === owners.organisation
        ? this.#waitingCalls.user(most) > this.#waitingCalls.user(owners) + 1
        : this.#waitingCalls.organisation(most) > this.#waitingCalls.organisation(owners) + 1
    return isGreedier ? waiting.find(({ owners: { user } }) => user === most.user) : undefined
  }

  /** Returns a waiting call that is not more important than the class, of a caller with as many waiting calls. */
  #lessImportant(rank: number, owners: Owners): Waiter | undefined {
    return this.#leastImportantFirst.find(
      (other) => other.rank >= rank && this.#waitingCalls.compare(other.owners, owners) >= 0,
    )
  }

  #startWaiting(): void {
    while (this.#waiting > 0 && this.#hasFreePlace) {
      const next = this.#next()
      if (next === undefined) break
      const queue = this.#queues[next.rank]!
      queue.splice(queue.indexOf(next), 1)
      this.#leaveQueue(next)
      next.start()
    }
    if (this.#hasFreePlace) this.#queueSince = null
  }

  /**
   * Returns the waiting call to start next. The organisation comes before the class, so that the changes of one
   * organisation do not keep the reads of others waiting.
   */
  #next(): Waiter | undefined {
    const candidates: Waiter[] = []
    for (const queue of this.#queues) {
      const best = new Map<string, Waiter>()
      // Compares one call of each user, because a flood has many calls of one user.
      for (const waiter of queue) {
        const { user } = waiter.owners
        if (!best.has(user)) best.set(user, waiter)
      }
      candidates.push(...[...best.values()].filter(({ owners }) => this.#hasShare(owners)))
    }
    const running = this.#runningCalls
    const [next] = candidates.toSorted(
      ({ owners: a, rank }, { owners: b, rank: other }) =>
        running.organisation(a) - running.organisation(b) || rank - other || running.user(a) - running.user(b),
    )
    return next
  }

  #leaveQueue({ owners }: Waiter): void {
    this.#waiting -= 1
    this.#waitingCalls.add(owners, -1)
    if (this.#waiting > 0) return
    this.#queueSince = null
    if (this.#sweep !== null) clearInterval(this.#sweep)
    this.#sweep = null
  }
}

function ownersOf({ user, organisation, address }: Claimant, strangersShare = false): Owners {
  const one = user ?? address ?? ''
  // A customer line has 256 networks or more, which must not count as many organisations.
  const group = organisation ?? (strangersShare && user === undefined ? 'strangers' : one)
  return { user: `user ${one}`, organisation: `organisation ${group}`, isUser: user !== undefined }
}
