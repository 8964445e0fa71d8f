/** A queue of items under paths of names. It gives one item of each name in turn, at every step of the path. */
export class Ring<T> {
  // A map keeps the order in which its keys came: the first is next, and goes to the end when it had its turn.
  readonly #below = new Map<string, Ring<T>>()
  readonly #here: T[] = []

  add(path: readonly string[], item: T): void {
    const [name, ...rest] = path
    if (name === undefined) {
      this.#here.push(item)
      return
    }
    const below = this.#below.get(name) ?? new Ring<T>()
    this.#below.set(name, below)
    below.add(rest, item)
  }

  take(): T | undefined {
    if (this.#here.length > 0) return this.#here.shift()
    const first = this.#below.entries().next().value
    if (first === undefined) return undefined
    const [name, below] = first
    this.#below.delete(name)
    const item = below.take()
    if (!below.isEmpty()) this.#below.set(name, below)
    return item
  }

  /** Takes out what was added under this path, and leaves the turns of all others as they are. */
  remove(path: readonly string[], item: T): void {
    const [name, ...rest] = path
    if (name === undefined) {
      const at = this.#here.indexOf(item)
      if (at >= 0) this.#here.splice(at, 1)
      return
    }
    const below = this.#below.get(name)
    below?.remove(rest, item)
    if (below?.isEmpty()) this.#below.delete(name)
  }

  isEmpty(): boolean {
    return this.#here.length === 0 && this.#below.size === 0
  }
}
