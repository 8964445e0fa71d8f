import { sql } from 'kysely'
import type { Tx } from '../db/schema.ts'
import type { ClaimableTable } from './claim.ts'

export const dueChannel = (table: ClaimableTable): string => `${table}_due`

export async function notifyWorkers(tx: Tx, table: ClaimableTable): Promise<void> {
  await sql`select pg_notify(${dueChannel(table)}, '')`.execute(tx)
}
