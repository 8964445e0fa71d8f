/** Outcomes of numbered writes: the acknowledged ones, and the longest pause between two acknowledgements. */
export class WriteRecord {
  #last = 0
  #failed = 0
  #acknowledged: number[] = []
  #since: number
  #pause = 0

  /** @param now milliseconds */
  constructor(now: number) {
    this.#since = now
  }

  next(): number {
    this.#last += 1
    return this.#last
  }

  acknowledge(number: number, now: number): void {
    this.#acknowledged.push(number)
    this.#pause = Math.max(this.#pause, now - this.#since)
    this.#since = now
  }

  fail(): void {
    this.#failed += 1
  }

  get acknowledged(): number {
    return this.#acknowledged.length
  }

  get failed(): number {
    return this.#failed
  }

  /** Starts to measure the longest pause again. */
  startPause(now: number): void {
    this.#since = now
    this.#pause = 0
  }

  /** Returns the longest pause since `startPause`, in milliseconds. A pause that has not ended yet is included. */
  pause(now: number): number {
    return Math.max(this.#pause, now - this.#since)
  }

  /**
   * Returns the acknowledged writes that are not among the stored ones.
   * @param first number of acknowledgements to check, counted before the stored writes were read
   */
  lost(stored: ReadonlySet<number>, first = this.#acknowledged.length): number[] {
    return this.#acknowledged.slice(0, first).filter((number) => !stored.has(number))
  }
}
