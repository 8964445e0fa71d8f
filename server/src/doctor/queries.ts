import { sql } from 'kysely'
import type { AzureTags } from '@trainyard/contract/words/azure-tags.ts'
import type { Db } from '../db/schema.ts'

export const selectDatabaseAndRole = (db: Db) =>
  sql<{ name: string; role: string }>`
    select current_database() as name, current_user as role`.execute(db)

export const selectSettings = (db: Db, names: readonly string[]) =>
  sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name = any(${names})`.execute(db)

export const selectSessionRole = (db: Db) => sql<{ role: string }>`select session_user as role`.execute(db)

export const selectTemplateNeeds = (db: Db) =>
  sql<{ template: string; tags: AzureTags }>`
    select distinct a.template_id as template, o.azure_tags as tags from template_assignment a
    join organisation o on o.id = a.organisation_id where o.removed_at is null`.execute(db)
