/** Calls that take effect later: before the first read after they are due. */
export class LateCalls {
  #waiting: { readonly dueAt: number; readonly callback: () => void }[] = []

  add(dueAt: number, callback: () => void): void {
    this.#waiting.push({ dueAt, callback })
  }

  /** Runs the calls that are due. Refusals are ignored because the client is no longer waiting for a reply. */
  settle(now: number): void {
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now)
    if (due.length === 0) return
    this.#waiting = this.#waiting.filter(({ dueAt }) => dueAt > now)
    for (const { callback } of due.toSorted((a, b) => a.dueAt - b.dueAt)) {
      try {
        callback()
      } catch (error) {
        if (!(error instanceof Error) || !error.name.endsWith('Refusal')) throw error
      }
    }
  }
}
