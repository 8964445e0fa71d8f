import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { SecurityGroupRow } from '../tables.gen.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'

export const selectRulesState = (db: Db, id: TrainingId) =>
  sql<{ pending: boolean; lastError: string | null }>`
    select coalesce(bool_or(settled_generation is distinct from generation), false) as pending, max(last_error) as "lastError"
    from security_group where training_id = ${id}`.execute(db)

export const selectKindsOfMachines = (db: Db, { training_id, provider, place_group }: SecurityGroupRow) =>
  sql<{ isPrivate: boolean }>`
    select distinct address_kind = 'private address' as "isPrivate" from machine
    where training_id = ${training_id} and provider = ${provider} and lower(place_group) = ${place_group}
      and terminated_at is null`.execute(db)

export const insertSecurityGroups = (tx: Tx, training: TrainingId) =>
  sql`
    insert into security_group (training_id, organisation_id, provider, place)
    select training_id, organisation_id, provider, (array_agg(place order by number))[1] from machine
    where training_id = ${training} and terminated_at is null
    group by training_id, organisation_id, provider, lower(place_group)
    order by provider, lower(place_group)
    on conflict do nothing`.execute(tx)

export const lockSecurityGroups = (tx: Tx, trainings: readonly TrainingId[]) =>
  sql<{ id: string }>`
    select id from security_group where training_id = any(${trainings}::uuid[]) order by id for update`.execute(tx)
