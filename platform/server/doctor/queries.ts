import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

export const selectDatabaseAndRole = (db: Db) =>
  sql<{ name: string; role: string }>`
    select current_database() as name, current_user as role`.execute(db)

export const selectSettings = (db: Db, names: readonly string[]) =>
  sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name = any(${names})`.execute(db)

export const selectSessionRole = (db: Db) => sql<{ role: string }>`select session_user as role`.execute(db)
