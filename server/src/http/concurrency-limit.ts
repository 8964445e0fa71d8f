/** Limits the number of objects, such as streams, that each key uses concurrently. A key is a user or an address. */
export class ConcurrencyLimit {
  readonly #max: number
  readonly #open = new Map<string, number>()
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Number in use, of all keys together. */
  get size(): number {
    return this.#size
  }

  /** Acquires a slot and returns a function that releases the slot; null if the key has reached the limit. */
  acquire(key: string): (() => void) | null {
    const before = this.#open.get(key) ?? 0
    if (before >= this.#max) return null
    this.#open.set(key, before + 1)
    this.#size += 1
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      this.#size -= 1
      const remaining = this.#open.get(key)! - 1
      if (remaining === 0) this.#open.delete(key)
      else this.#open.set(key, remaining)
    }
  }
}
