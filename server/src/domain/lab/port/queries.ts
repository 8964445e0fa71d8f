import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'

export const selectRulesState = (db: Db, id: TrainingId) =>
  sql<{ pending: boolean; lastError: string | null }>`
    select coalesce(bool_or(settled_generation is distinct from generation), false) as pending, max(last_error) as "lastError"
    from security_group where training_id = ${id}`.execute(db)

export const selectKindsOfMachines = (db: Db, training: TrainingId, resourceGroup: string) =>
  sql<{ isPrivate: boolean }>`
    select distinct private_network_id is not null as "isPrivate" from machine
    where training_id = ${training} and lower(resource_group) = ${resourceGroup} and terminated_at is null`.execute(db)
