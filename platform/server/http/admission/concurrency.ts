/** Bounds and target of an adaptive limit. */
export interface ConcurrencyOptions {
  readonly least: number
  readonly most: number
  /** Target in milliseconds. Three of four calls should take less time. */
  readonly targetMs: number
}

/** Minimum time and number of calls between two changes of the limit. */
const WINDOW_MS = 250
const WINDOW_CALLS = 10
const DECREASE = 0.8

/**
 * Limit that adapts to the duration of calls. It grows by one while calls are fast and the limit is reached, and
 * shrinks by a fifth while calls are slow (additive increase, multiplicative decrease, as in TCP).
 */
export class AdaptiveConcurrency {
  readonly #options: ConcurrencyOptions
  #limit: number
  #times: number[] = []
  #windowEnd: number
  #wasReached = false

  constructor(options: ConcurrencyOptions, now: number) {
    this.#options = options
    this.#limit = options.most
    this.#windowEnd = now + WINDOW_MS
  }

  get limit(): number {
    return this.#limit
  }

  /** Records that a call could not start at once because the limit was reached. */
  reached(): void {
    this.#wasReached = true
  }

  /**
   * Records a completed call.
   * @param ms time that it took, without the time in the queue
   */
  observe(ms: number, now: number): void {
    this.#times.push(ms)
    if (now < this.#windowEnd || this.#times.length < WINDOW_CALLS) return
    const sorted = this.#times.toSorted((a, b) => a - b)
    const p75 = sorted[Math.floor(sorted.length * 0.75)]!
    const { least, most, targetMs } = this.#options
    if (p75 > targetMs) this.#limit = Math.max(least, Math.floor(this.#limit * DECREASE))
    else if (this.#wasReached) this.#limit = Math.min(most, this.#limit + 1)
    this.#times = []
    this.#wasReached = false
    this.#windowEnd = now + WINDOW_MS
  }
}
