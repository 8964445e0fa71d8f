/** Queue of items with paths of names. At every level of the path, the names take turns. */
export class RoundRobinQueue<T> {
  // Items, keyed by the next name of their path. A map preserves the order of insertion: the first key is the next to
  // run, and is then inserted again at the end.
  readonly #queues = new Map<string, RoundRobinQueue<T>>()
  readonly #items: T[] = []

  add(path: readonly string[], item: T): void {
    const [name, ...rest] = path
    if (name === undefined) {
      this.#items.push(item)
      return
    }
    const below = this.#queues.get(name) ?? new RoundRobinQueue<T>()
    this.#queues.set(name, below)
    below.add(rest, item)
  }

  take(): T | undefined {
    if (this.#items.length > 0) return this.#items.shift()
    const first = this.#queues.entries().next().value
    if (first === undefined) return undefined
    const [name, below] = first
    this.#queues.delete(name)
    const item = below.take()
    if (!below.isEmpty()) this.#queues.set(name, below)
    return item
  }

  remove(path: readonly string[], item: T): void {
    const [name, ...rest] = path
    if (name === undefined) {
      const at = this.#items.indexOf(item)
      if (at >= 0) this.#items.splice(at, 1)
      return
    }
    const below = this.#queues.get(name)
    below?.remove(rest, item)
    if (below?.isEmpty()) this.#queues.delete(name)
  }

  isEmpty(): boolean {
    return this.#items.length === 0 && this.#queues.size === 0
  }
}
