import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { newClientOf } from './client.ts'
import { isBeingUpgraded, isDatabaseBusy, isDatabaseLost, isForbidden } from './lost.ts'
import { compareTables, NewerDatabase, OlderTables } from './migrate.ts'
import type { Db } from './schema.ts'
import { refuseSharedDatabaseSessions, SharedDatabaseSessions } from './shared-database-sessions.ts'

const RETRY_MS = 500

export interface Waiting {
  readonly logMessage: (sentence: string) => void
  readonly signal: AbortSignal
}

/** Milliseconds between checks for an upgrade of the database. */
const CHECK_MS = 2_000

class NotReady extends Error {}

/**
 * Waits until the database answers, has the tables of this version and can be written.
 * @returns true if that was not so at first
 * @throws SharedDatabaseSessions, NewerDatabase because waiting would not help
 */
export async function awaitDatabase(db: Db, { logMessage, signal }: Waiting): Promise<boolean> {
  let last: string | null = null
  while (!signal.aborted) {
    try {
      // Reading a table also tests the grants, which are the last step of a migration.
      await sql`select portal_now() from part_state limit 1`.execute(db)
      const { missing } = await compareTables(db)
      if (missing.length > 0) throw new OlderTables()
      if (await isBeingUpgraded(db)) throw new NotReady('it is being upgraded')
      await refuseSharedDatabaseSessions(() => newClientOf(db))
      if (last !== null) logMessage('The database answers.')
      return last !== null
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof SharedDatabaseSessions || error instanceof NewerDatabase) throw error
      const reason = reasonOf(error)
      if (reason !== last) logMessage(`The database does not answer (${reason}); waiting for it.`)
      last = reason
    }
    await pause(RETRY_MS, undefined, { signal }).catch(() => undefined)
  }
  return true
}

/**
 * Returns an error handler. It reports an unreachable database once per outage and passes all other errors to `onBug`.
 */
export function reportOutagesOnce(db: Db, waiting: Waiting, onBug: (bug: unknown) => void): (bug: unknown) => void {
  let outage: Promise<void> | null = null
  return (bug) => {
    // While a silent host keeps all connections, those who wait for one are told that it is busy.
    if (!isDatabaseLost(bug) && !isDatabaseBusy(bug) && !isForbidden(bug)) return onBug(bug)
    outage ??= awaitDatabase(db, waiting)
      // The database answers: the error has another cause, or only this connection broke.
      .then((wasAway) => (wasAway ? undefined : onBug(bug)), onBug)
      .finally(() => (outage = null))
  }
}

/**
 * Resolves when the signal aborts.
 * @throws NewerDatabase when an upgrade has replaced the tables of this version, or Error when one was taken back
 */
export async function refuseNewerTables(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(CHECK_MS, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    const compared = await compareTables(db).catch((error: unknown) => {
      if (error instanceof NewerDatabase) throw error
      return null
    })
    // The connection was checked when it was opened.
    if (compared !== null && compared.missing.length > 0 && !compared.isEmpty)
      throw new Error('The database has the tables of an older version again: the upgrade was taken back.')
  }
}

/**
 * PostgreSQL's undefined_function, undefined_table and insufficient_privilege: the migrations have not run or are
 * incomplete.
 */
const NOT_MIGRATED = new Set(['42883', '42P01', '42501'])

const POOLER = 'a pooler must be configured with pool_mode = session and ignore_startup_parameters = options'

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (NOT_MIGRATED.has(code)) return 'it has not been migrated to this version: npm run migrate'
  if (/unsupported startup parameter/.test(error.message)) return `${error.message}: ${POOLER}`
  // A connection error for a host with several addresses has no message.
  return error.message === '' ? code : error.message
}
