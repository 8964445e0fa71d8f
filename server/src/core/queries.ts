import { sql } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../db/schema.ts'

export const notifyOfMachines = (tx: Tx, channel: string, machines: readonly string[]) =>
  sql`
    select pg_notify(${channel}, training_id || ' ' || id) from machine
    where id = any(${machines}::uuid[])`.execute(tx)

export const notifyOfTrainings = (tx: Tx, channel: string, organisation: OrganisationId, training: TrainingId | null) =>
  sql`
    select pg_notify(${channel}, id::text) from training
    where organisation_id = ${organisation} and (${training}::uuid is null or id = ${training})`.execute(tx)
