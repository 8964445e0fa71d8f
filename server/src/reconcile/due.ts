import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { runKept } from '../db/kept-statement.ts'
import type { Db } from '../db/schema.ts'
import type { Running, Watched } from './running.ts'
import { wakeable } from './wakeable.ts'

const EVERY_MS = 1_000

/**
 * Asks once in a second what is due, all in one query, and wakes whoever works on it. Clocks are stepped, and rows
 * changed by hand, without anybody telling.
 */
export function watchDue(db: Db, watched: readonly Watched[], onBug: (bug: unknown) => void): Running {
  const stopping = new AbortController()
  const { sleep, wake } = wakeable()
  const query = sql<{ name: string }>`${sql.join(
    watched.map(({ name, isDue }) => sql`select ${sql.lit(name)} as name where ${isDue}`),
    sql` union all `,
  )}`.compile(db)
  // To plan it takes ten times as long as to run it. Workers that watch other things may share a connection.
  const name = `what is due ${createHash('sha256').update(query.sql).digest('base64url')}`

  async function run() {
    while (!stopping.signal.aborted) {
      await sleep(EVERY_MS)
      if (stopping.signal.aborted) return
      try {
        const rows = await runKept(db, name, query)
        const due = new Set(rows.map((row) => row.name))
        for (const one of watched) if (due.has(one.name)) one.wake()
      } catch (bug) {
        onBug(bug)
        // One part that can't be asked must not hide what is due of the others: each looks for itself.
        for (const one of watched) one.wake()
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
