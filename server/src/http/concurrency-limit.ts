import type { UserId } from '@trainyard/contract/words/ids.ts'

export class ConcurrencyLimit {
  readonly #most: number
  readonly #open = new Map<UserId, number>()
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Number in use by all users together. */
  get size(): number {
    return this.#size
  }

  /** Counts one more and returns a function that releases it; null if the user has reached the limit. */
  acquire(person: UserId): (() => void) | null {
    const before = this.#open.get(person) ?? 0
    if (before >= this.#most) return null
    this.#open.set(person, before + 1)
    this.#size += 1
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      this.#size -= 1
      const left = this.#open.get(person)! - 1
      if (left === 0) this.#open.delete(person)
      else this.#open.set(person, left)
    }
  }
}
