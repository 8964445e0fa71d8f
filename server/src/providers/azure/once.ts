/** A cache of asynchronous work by key: shared while in progress, cached for a while, forgotten on failure. */
export interface Once<T> {
  get(key: string, make: () => Promise<T>): Promise<T>
  forget(prefix: string): void
}

export function once<T>(keepForMilliseconds: number): Once<T> {
  const kept = new Map<string, { readonly work: Promise<T>; readonly until: number }>()
  return {
    get(key, make) {
      const now = performance.now()
      for (const [old, { until }] of kept) if (until <= now) kept.delete(old)
      const existing = kept.get(key)
      if (existing) return existing.work
      const work = make()
      const entry = { work, until: now + keepForMilliseconds }
      kept.set(key, entry)
      work.catch(() => {
        if (kept.get(key) === entry) kept.delete(key)
      })
      return work
    },
    forget(prefix) {
      for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key)
    },
  }
}
