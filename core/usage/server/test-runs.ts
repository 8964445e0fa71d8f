import { sql } from 'kysely'
import type { MachineId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Run } from './bill.ts'
import { updateRunTotals } from './queries.ts'

export interface Place {
  readonly id: TrainingId
  readonly organisation: OrganisationId
}

export async function makeTraining(db: Db, name: string, time_zone = 'Asia/Kolkata'): Promise<Place> {
  const organisation = await db
    .insertInto('organisation')
    .values({ name, time_zone, logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const training = await db
    .insertInto('training')
    .values({ name, organisation_id: organisation.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: training.id, organisation: organisation.id }
}

const PLACE = JSON.stringify({ group: 'g', location: 'l', network: 'v' })
const SIZE = JSON.stringify({ name: 's' })
const IMAGE = JSON.stringify({ id: 'i' })

export async function addMachine(
  db: Db,
  at: Place,
  name: string,
  price: number,
  runs: readonly Run[],
  email = 'x@y.test',
): Promise<MachineId> {
  const { rows } = await sql<{ id: MachineId }>`
    with placed as (
      insert into machine_order (organisation_id, training_id, template_name, ordered_by, machine_count)
      values (${at.organisation}, ${at.id}, 'template', 'admin', 1) returning id)
    insert into machine (name, organisation_id, training_id, order_id, email, ordered_for, provider, place, size,
      image, os, licence, admin_username, admin_password, guacamole, paise_per_hour, created_at)
    select ${name}, ${at.organisation}, ${at.id}, id, ${email}, ${email}, 'azure', ${PLACE}::jsonb, ${SIZE}::jsonb, ${IMAGE}::jsonb, 'Linux', 'none', 'u', 'p',
      false, ${price}, timestamptz '2026-01-01' from placed returning id`.execute(db)
  const { id } = rows[0]!
  for (const { start, stop, paisePerHour } of runs) {
    await db
      .insertInto('run')
      .values({
        machine_id: id,
        organisation_id: at.organisation,
        started_at: start,
        stopped_at: stop,
        paise_per_hour: paisePerHour,
      })
      .execute()
  }
  if (runs.length > 0) await db.transaction().execute((tx) => updateRunTotals(tx, [id]))
  return id
}
