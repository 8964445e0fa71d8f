import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { Running, DueCheck } from './running.ts'
import { wakeable } from './wakeable.ts'

const EVERY_MS = 1_000

/** Polls for due work once per second, because stepped clocks and manual changes of rows send no notification. */
export function pollDue(db: Db, watched: readonly DueCheck[], onBug: (bug: unknown) => void): Running {
  const stopping = new AbortController()
  const { sleep, wake } = wakeable()
  const query = sql<{ name: string }>`${sql.join(
    watched.map(({ name, isDue }) => sql`select ${sql.lit(name)} as name where ${isDue}`),
    sql` union all `,
  )}`

  async function run() {
    while (!stopping.signal.aborted) {
      await sleep(EVERY_MS)
      if (stopping.signal.aborted) return
      try {
        const { rows } = await query.execute(db)
        const due = new Set(rows.map((row) => row.name))
        for (const each of watched) if (due.has(each.name)) each.wake()
      } catch (bug) {
        onBug(bug)
        // All parts are woken, because a failing check must not hide due work of other parts.
        for (const each of watched) each.wake()
      }
    }
  }

  const ended = run()
  return {
    async stop() {
      stopping.abort()
      wake()
      await ended
    },
  }
}
