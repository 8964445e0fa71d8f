import { sql } from 'kysely'
import type { Tx } from './schema.ts'

/** Tells the workers who listen on a channel, once this transaction is committed, that rows are due. */
export async function notifyWorkers(tx: Tx, channel: string): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(tx)
}
