import { sql } from 'kysely'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

export const selectNextTransaction = (db: Db) =>
  sql<{ next: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(db)

export const selectOldestTransaction = (db: Db) =>
  sql<{ oldest: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as oldest`.execute(db)
