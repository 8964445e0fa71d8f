/** Calls that were taken, got no answer, and are done later: before the first look after their time has come. */
export class LateCalls {
  #waiting: { readonly at: number; readonly work: () => void }[] = []

  add(at: number, work: () => void): void {
    this.#waiting.push({ at, work })
  }

  /** Does what is due. What is refused by then was refused late, and nobody hears of it. */
  settle(now: number): void {
    const due = this.#waiting.filter(({ at }) => at <= now)
    if (due.length === 0) return
    this.#waiting = this.#waiting.filter(({ at }) => at > now)
    for (const { work } of due.toSorted((a, b) => a.at - b.at)) {
      try {
        work()
      } catch (refused) {
        if (!(refused instanceof Error) || !refused.name.endsWith('Refusal')) throw refused
      }
    }
  }
}
