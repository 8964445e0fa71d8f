import type { Claimant } from '../shares.ts'

export type ShedReason = 'queue full' | 'waited too long' | 'client left'

export interface QueueOptions {
  /** Maximum milliseconds that a call of each class waits, the most important class first. */
  readonly waitMs: readonly number[]
  /** Maximum number of running calls. */
  readonly limit: number
  /** Maximum number of running calls of one user, and of one organisation. */
  readonly shares: { readonly user: number; readonly organisation: number }
  readonly waitingMax: number
  /** True if callers who are not known have the share of one organisation together. */
  readonly strangersShare?: boolean
}

/** A call that runs, waits or was refused. */
export interface Admission {
  /** Frees the call's place among the running calls, or in the queue. Further calls have no effect. */
  release(): void
}

/** Calls of a user or of an organisation. A network counts as both. */
interface Owner {
  readonly key: string
  running: number
  waiting: number
}

interface Call {
  readonly rank: number
  readonly user: Owner
  readonly organisation: Owner
  readonly isUser: boolean
  state: 'waiting' | 'running' | 'ended'
  deadline?: NodeJS.Timeout
  admitted(): void
  refused(reason: ShedReason): void
}

/** Part of the places that one organisation may use, however few there are. */
const LARGEST_SHARE = 0.75
/**
 * Waiting calls of one user from which the user's calls run one at a time: far more than a page makes. Many users may
 * share a network.
 */
const FLOOD = 16

/**
 * Bounded queue in front of a limited number of running calls. Calls of the organisation with the fewest running calls
 * start first, so that its reads do not wait for the changes of others; then those of a more important class, then those
 * of the user with the fewest running calls, then the oldest. A full queue refuses a call of the organisation with the most
 * waiting calls, and in it of the user with the most.
 */
export class CallQueue {
  readonly #options: QueueOptions
  readonly #owners = new Map<string, Owner>()
  /** The oldest first. */
  readonly #waiting: Call[] = []
  #running = 0

  constructor(options: QueueOptions) {
    this.#options = options
  }

  get state(): { readonly running: number; readonly waiting: number; readonly limit: number } {
    return { running: this.#running, waiting: this.#waiting.length, limit: this.#options.limit }
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#options.waitingMax
  }

  /**
   * Calls `admitted` once the call may run, or `refused`.
   * @param rank index of the call's class
   */
  enter(rank: number, claimant: Claimant, admitted: () => void, refused: (reason: ShedReason) => void): Admission {
    const one = claimant.user ?? claimant.address ?? ''
    const isUser = claimant.user !== undefined
    const group = claimant.organisation ?? (this.#options.strangersShare === true && !isUser ? 'strangers' : one)
    const [user, organisation] = [this.#owner(`user ${one}`), this.#owner(`organisation ${group}`)]
    const call: Call = { rank, user, organisation, isUser, state: 'waiting', admitted, refused }
    // While a place is free, all waiting calls have reached the share of their caller.
    if (this.#mayRun(call)) this.#start(call)
    else this.#wait(call)
    return {
      release: () => {
        if (call.state === 'running') this.#end(call)
        else this.#refuse(call, 'client left')
      },
    }
  }

  /** Refuses all waiting calls. */
  close(): void {
    while (this.#waiting.length > 0) this.#refuse(this.#waiting[0]!, 'waited too long')
  }

  #mayRun({ user, organisation, isUser }: Call): boolean {
    const { shares, limit } = this.#options
    const largest = Math.ceil(limit * LARGEST_SHARE)
    const share = isUser && user.waiting >= FLOOD ? 1 : shares.user
    return (
      this.#running < limit &&
      organisation.running < Math.min(shares.organisation, largest) &&
      user.running < Math.min(share, largest)
    )
  }

  #start(call: Call): void {
    call.state = 'running'
    this.#running += 1
    this.#count(call, 'running', 1)
    call.admitted()
  }

  #end(call: Call): void {
    call.state = 'ended'
    this.#running -= 1
    this.#count(call, 'running', -1)
    this.#startWaiting()
  }

  #wait(call: Call): void {
    this.#waiting.push(call)
    this.#count(call, 'waiting', 1)
    if (this.#waiting.length > this.#options.waitingMax) this.#refuse(this.#first(byRefusal)!, 'queue full')
    const waitMs = this.#options.waitMs[call.rank]!
    if (call.state !== 'waiting' || waitMs === Infinity) return
    call.deadline = setTimeout(() => this.#refuse(call, 'waited too long'), waitMs).unref()
  }

  /** Removes a call from the queue and refuses it. Has no effect on a call that no longer waits. */
  #refuse(call: Call, reason: ShedReason): void {
    if (call.state !== 'waiting') return
    this.#leave(call)
    call.state = 'ended'
    call.refused(reason)
    // A caller with fewer waiting calls may run more of them.
    this.#startWaiting()
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && this.#running < this.#options.limit) {
      const next = this.#first(byTurn, (call) => this.#mayRun(call))
      if (next === undefined) return
      this.#leave(next)
      this.#start(next)
    }
  }

  #leave(call: Call): void {
    this.#waiting.splice(this.#waiting.indexOf(call), 1)
    this.#count(call, 'waiting', -1)
    clearTimeout(call.deadline)
  }

  /** Returns the first waiting call in an order; of equal ones, the oldest. */
  #first(order: (one: Call, other: Call) => number, isCandidate = (_call: Call) => true): Call | undefined {
    let first: Call | undefined
    for (const call of this.#waiting) {
      if ((first === undefined || order(call, first) < 0) && isCandidate(call)) first = call
    }
    return first
  }

  #owner(key: string): Owner {
    return this.#owners.get(key) ?? { key, running: 0, waiting: 0 }
  }

  #count({ user, organisation }: Call, what: 'running' | 'waiting', change: 1 | -1): void {
    for (const owner of [user, organisation]) {
      owner[what] += change
      if (owner.running + owner.waiting > 0) this.#owners.set(owner.key, owner)
      else this.#owners.delete(owner.key)
    }
  }
}

/** Order in which waiting calls start. */
const byTurn = (one: Call, other: Call): number =>
  one.organisation.running - other.organisation.running ||
  one.rank - other.rank ||
  one.user.running - other.user.running

/** Order in which a full queue refuses calls. */
const byRefusal = (one: Call, other: Call): number =>
  other.organisation.waiting - one.organisation.waiting ||
  other.user.waiting - one.user.waiting ||
  other.rank - one.rank
