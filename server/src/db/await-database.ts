import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { spareClient } from './client.ts'
import { isDatabaseLost } from './lost.ts'
import type { Db } from './schema.ts'
import { refuseSharedSessions, SharedSessions } from './shared-sessions.ts'

const RETRY_MS = 500

export interface Waiting {
  /** Tells people, a sentence at a time. */
  readonly say: (sentence: string) => void
  /** Once it is aborted nobody waits any more. */
  readonly signal: AbortSignal
}

/**
 * Settles once the database answers as one of ours; says why it doesn't, each reason once, and when it does again.
 * Answers whether it had to be waited for.
 * @throws SharedSessions where waiting would help nothing
 */
export async function awaitDatabase(db: Db, { say, signal }: Waiting): Promise<boolean> {
  let last: string | null = null
  while (!signal.aborted) {
    try {
      // A table, since it is the grants that come last.
      await sql`select portal_now() from part_state limit 1`.execute(db)
      await refuseSharedSessions(() => spareClient(db))
      if (last !== null) say('The database answers.')
      return last !== null
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof SharedSessions) throw error
      const reason = reasonOf(error)
      if (reason !== last) say(`The database does not answer (${reason}); waiting for it.`)
      last = reason
    }
    await pause(RETRY_MS, undefined, { signal }).catch(() => undefined)
  }
  return true
}

/** Hands errors on to `onBug`, but for those of a database that is away: it is told once that it is waited for. */
export function tellOutagesOnce(db: Db, waiting: Waiting, onBug: (bug: unknown) => void): (bug: unknown) => void {
  let outage: Promise<void> | null = null
  return (bug) => {
    if (!isDatabaseLost(bug)) return onBug(bug)
    outage ??= awaitDatabase(db, waiting)
      // It answers at once: something else was lost, or one connection of many.
      .then((wasAway) => (wasAway ? undefined : onBug(bug)), onBug)
      .finally(() => (outage = null))
  }
}

/** undefined_function, undefined_table, insufficient_privilege: the migrations have not run, or not to their end. */
const NOT_MIGRATED = new Set(['42883', '42P01', '42501'])

const POOLER =
  'a pooler stands before PostgreSQL; only with pool_mode = session and ignore_startup_parameters = options'

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (NOT_MIGRATED.has(code)) return 'it was not brought to this version yet: npm run migrate'
  if (/unsupported startup parameter/.test(error.message)) return `${error.message}: ${POOLER} it would do`
  // Several addresses were tried, each with an error of its own, and no word for all.
  return error.message === '' ? code : error.message
}
