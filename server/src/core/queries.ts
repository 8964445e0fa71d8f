import { sql } from 'kysely'
import type { Tx } from '../db/schema.ts'

export const notifyOfMachines = (tx: Tx, channel: string, machines: readonly string[]) =>
  sql`
    select pg_notify(${channel}, training_id || ' ' || id) from machine
    where id = any(${machines}::uuid[])`.execute(tx)
