/** A pause between two looks, which ends early when somebody wakes it. */
export interface Wakeable {
  /** Forgets who woke it before: called before a look, so that a call during it is not missed. */
  look(): void
  /** True when somebody called since the last look began. */
  isWoken(): boolean
  /** Waits so long, or until it is woken; not at all where it was woken since the look began. */
  sleep(ms: number): Promise<void>
  wake(): void
}

export function wakeable(): Wakeable {
  let woken = false
  let end = () => {}
  return {
    look() {
      woken = false
    },
    isWoken: () => woken,
    sleep: (ms) =>
      woken
        ? Promise.resolve()
        : new Promise((resolve) => {
            const timer = setTimeout(resolve, ms)
            end = () => {
              clearTimeout(timer)
              resolve()
            }
          }),
    wake() {
      woken = true
      end()
    },
  }
}
