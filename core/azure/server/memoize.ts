export interface Memo<T> {
  get(key: string, make: () => Promise<T>): Promise<T>
  forget(prefix: string): void
}

export function memoize<T>(ttlMs: number): Memo<T> {
  const cache = new Map<string, { readonly work: Promise<T>; readonly until: number }>()
  return {
    get(key, load) {
      const now = performance.now()
      for (const [old, { until }] of cache) if (until <= now) cache.delete(old)
      const existing = cache.get(key)
      if (existing) return existing.work
      const promise = load()
      const entry = { work: promise, until: now + ttlMs }
      cache.set(key, entry)
      promise.catch(() => {
        if (cache.get(key) === entry) cache.delete(key)
      })
      return promise
    },
    forget(prefix) {
      for (const key of cache.keys()) if (key.startsWith(prefix)) cache.delete(key)
    },
  }
}
