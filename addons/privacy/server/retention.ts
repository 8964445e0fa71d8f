import { type RawBuilder, sql } from 'kysely'
import { connectedModules } from '@trainyard/platform/server/core/events.ts'
import type { Retained } from '@trainyard/platform/server/core/tables.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

/** Maximum number of rows that one statement deletes, so that no lock is held for long. */
const BATCH = 5_000

/** Deletes rows that are older than the retention that their organisation has set. */
export async function applyRetention(db: Db, signal: AbortSignal): Promise<void> {
  for (const retained of connectedModules().flatMap(({ tables }) => tables?.retained ?? [])) {
    const statement = deletionOf(retained)
    let deleted: number
    do {
      signal.throwIfAborted()
      deleted = Number((await statement.execute(db)).numAffectedRows ?? 0)
    } while (deleted === BATCH)
  }
}

const deletionOf = ({ table, days, from = '', organisation, ended }: Retained): RawBuilder<unknown> => sql`
  delete from ${sql.table(table)} where ctid in (
    select t.ctid from ${sql.table(table)} t ${sql.raw(from)}
      join organisation_privacy p on p.organisation_id = ${sql.raw(organisation)}
    where ${sql.raw(ended)} < portal_now() - make_interval(days => ${sql.ref(`p.${days}`)})
    limit ${BATCH})`
