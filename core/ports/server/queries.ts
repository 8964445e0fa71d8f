import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'

export const selectRulesState = (db: Db, id: TrainingId) =>
  sql<{ pending: boolean; lastError: string | null }>`
    select coalesce(bool_or(settled_generation is distinct from generation), false) as pending, max(last_error) as "lastError"
    from security_group where training_id = ${id}`.execute(db)

export const selectKindsOfMachines = (db: Db, training: TrainingId, resourceGroup: string) =>
  sql<{ isPrivate: boolean }>`
    select distinct address_kind = 'private address' as "isPrivate" from machine
    where training_id = ${training} and lower(resource_group) = ${resourceGroup} and terminated_at is null`.execute(db)

export const insertSecurityGroups = (tx: Tx, training: TrainingId) =>
  sql`
    insert into security_group (training_id, organisation_id, resource_group, location)
    select training_id, organisation_id, lower(resource_group), min(location) from machine
    where training_id = ${training} and terminated_at is null
    group by training_id, organisation_id, lower(resource_group)
    order by lower(resource_group)
    on conflict do nothing`.execute(tx)

export const lockSecurityGroups = (tx: Tx, trainings: readonly TrainingId[]) =>
  sql<{ id: string }>`
    select id from security_group where training_id = any(${trainings}::uuid[]) order by id for update`.execute(tx)
