/** Queue of items with paths of names. At every level of the path, the names take turns. */
export class RoundRobinQueue<T> {
  // Items, keyed by the next name of their path. A map preserves the order of insertion: the first key is the next to
  // run, and is then inserted again at the end.
  readonly #below = new Map<string, RoundRobinQueue<T>>()
  readonly #here: T[] = []

  add(path: readonly string[], item: T): void {
    const [name, ...rest] = path
    if (name === undefined) {
      this.#here.push(item)
      return
    }
    const below = this.#below.get(name) ?? new RoundRobinQueue<T>()
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
