import { sql } from 'kysely'
import type { Tx } from './schema.ts'

/** Notifies the listeners of a channel when the transaction commits, once for each payload. */
export async function notify(tx: Tx, channel: string, payloads: readonly string[] = ['']): Promise<void> {
  if (payloads.length === 0) return
  await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(tx)
}
