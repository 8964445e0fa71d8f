import { sql } from 'kysely'
import { connectedModules } from '../core/events.ts'
import type { Db, Tx } from '../db/schema.ts'

export async function cleanUp(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { tables } of connectedModules()) for (const expire of tables?.expire ?? []) await expire(tx)
  })
}

export async function deleteOldBuckets(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('call_bucket')
    .where('counted_at', '<', sql<Date>`portal_now() - interval '1 day'`)
    .where('closed_until', '<', sql<Date>`portal_now()`)
    .execute()
}

export async function deleteOldPulses(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('worker_pulse')
    .where('seen_at', '<', sql<Date>`portal_now() - interval '1 day'`)
    .execute()
}
