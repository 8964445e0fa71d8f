import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const EVERY_MS = 250

export interface PollObserver {
  /**
   * Returns the seconds between the ends of consecutive polls of all machines, for the polls that ended since the last
   * call.
   */
  gaps(): readonly number[]
  expect(machines: readonly string[], observed: 'running' | 'stopped'): void
  /** `missing` is the number of expected states that the portal has not stored yet. */
  results(): { readonly seconds: readonly number[]; readonly missing: number }
  stop(): Promise<void>
}

/** A poll without changes updates no machine row, so its end is derived from `whole_sweep`. */
export async function observePolls(databaseUrl: string): Promise<PollObserver> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  let due: number | null = null
  let endedAt: number | null = null
  let gaps: number[] = []
  const expected = new Map<string, { readonly observed: string; readonly since: number }>()
  const seconds: number[] = []
  let missedCount = 0
  const stopping = new AbortController()

  async function readPolls() {
    const { rows } = await db.query<{ due: Date }>('select due_at as due from whole_sweep')
    const now = performance.now()
    const next = rows[0]!.due.getTime()
    if (due !== null && next !== due) {
      if (endedAt !== null) gaps.push((now - endedAt) / 1_000)
      endedAt = now
    }
    due = next
    if (expected.size === 0) return
    const { rows: machines } = await db.query<{ name: string; observed: string }>(
      'select name, observed from machine where name = any($1)',
      [[...expected.keys()]],
    )
    for (const { name, observed } of machines) {
      const expectedState = expected.get(name)
      if (expectedState?.observed !== observed) continue
      seconds.push((performance.now() - expectedState.since) / 1_000)
      expected.delete(name)
    }
  }

  const following = (async () => {
    while (!stopping.signal.aborted) {
      await readPolls()
      await pause(EVERY_MS)
    }
  })()
  return {
    gaps() {
      const found = gaps
      gaps = []
      return found
    },
    expect(machines, observed) {
      for (const name of machines) {
        if (expected.has(name)) missedCount++
        expected.set(name, { observed, since: performance.now() })
      }
    },
    results: () => ({ seconds: [...seconds], missing: missedCount + expected.size }),
    async stop() {
      stopping.abort()
      await following
      await db.end()
    },
  }
}
