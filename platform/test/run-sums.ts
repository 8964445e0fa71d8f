import { type RawBuilder, sql } from 'kysely'
import type { MachineId } from '../contract/words/ids.ts'
import type { Db } from '../server/db/schema.ts'
import { updateQuotaEnds } from '@trainyard/machines/server/queries.ts'
import { updateRunTotals } from '@trainyard/usage/server/queries.ts'

/**
 * Updates what is stored about the runs of machines: sums and ends of quotas. Call it after a test changed runs with SQL.
 * @param which condition for the machines; omitted: all
 */
export async function updateRunSums(db: Db, which: RawBuilder<boolean> = sql`true`): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: MachineId }>`select id from machine where ${which}`.execute(tx)
    const machines = rows.map(({ id }) => id)
    await updateRunTotals(tx, machines)
    await updateQuotaEnds(tx, machines)
  })
}
