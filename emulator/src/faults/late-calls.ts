/** Calls that take effect later: before the first read after they are due. */
export class LateCalls {
  #waiting: { readonly at: number; readonly work: () => void }[] = []

  add(dueAt: number, callback: () => void): void {
    this.#waiting.push({ at: dueAt, work: callback })
  }

  /** Runs the calls that are due. Refusals are ignored because the client is no longer waiting for a reply. */
  settle(now: number): void {
    const due = this.#waiting.filter(({ at: dueAt }) => dueAt <= now)
    if (due.length === 0) return
    this.#waiting = this.#waiting.filter(({ at: dueAt }) => dueAt > now)
    for (const { work: callback } of due.toSorted((a, b) => a.at - b.at)) {
      try {
        callback()
      } catch (refused) {
        if (!(refused instanceof Error) || !refused.name.endsWith('Refusal')) throw refused
      }
    }
  }
}
