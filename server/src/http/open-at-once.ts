import type { UserId } from '@trainyard/contract/words/ids.ts'

/** How much one person may have open at once in this process, so that what others open is never refused for it. */
export class OpenAtOnce {
  readonly #most: number
  readonly #open = new Map<UserId, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Counts one more, and answers what counts it out again, once; null when the person has their many. */
  enter(person: UserId): (() => void) | null {
    const before = this.#open.get(person) ?? 0
    if (before >= this.#most) return null
    this.#open.set(person, before + 1)
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      const left = this.#open.get(person)! - 1
      if (left === 0) this.#open.delete(person)
      else this.#open.set(person, left)
    }
  }
}
