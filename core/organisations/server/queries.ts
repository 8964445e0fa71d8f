import { sql } from 'kysely'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

export const selectTimeZone = (tx: Tx, timeZone: string) =>
  sql`select from pg_timezone_names where name = ${timeZone}`.execute(tx)
