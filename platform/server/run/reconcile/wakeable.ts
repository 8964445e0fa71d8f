export interface Wakeable {
  /** Resets the woken state. Call before checking for work, so that a wake-up during the check is not missed. */
  reset(): void
  isWoken(): boolean
  /** Waits for the time or until woken. Returns at once if already woken since the last reset. */
  sleep(ms: number): Promise<void>
  wake(): void
}

export function wakeable(): Wakeable {
  let woken = false
  let end = () => {}
  return {
    reset() {
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
