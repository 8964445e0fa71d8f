import { sql } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import { insertSecurityGroups, lockSecurityGroups } from './queries.ts'

/* Creates missing groups. Several groups are always locked in the order of their IDs, also by workers that extend claims, to prevent deadlocks. */

export async function ensureSecurityGroups(tx: Tx, training: TrainingId): Promise<void> {
  // Names of containers are compared without case, and each group must have only one writer.
  await insertSecurityGroups(tx, training)
  await wakeSecurityGroups(tx, training)
}

/** Makes the groups due. Call after a change of the training's ports or machines. */
export async function wakeSecurityGroups(tx: Tx, training: TrainingId): Promise<void> {
  await setDesiredState(tx, 'security_group', {
    rows: sql`select id from security_group where training_id = ${training} order by id for update`,
  })
}

/** Makes the groups due. Call after a change of the organisation's allowed sources. */
export async function wakeSecurityGroupsOf(tx: Tx, organisation: OrganisationId): Promise<void> {
  await setDesiredState(tx, 'security_group', {
    rows: sql`select id from security_group where organisation_id = ${organisation} order by id for update`,
  })
}

/** Makes the groups due that no machine uses anymore. */
export async function wakeEmptySecurityGroups(tx: Tx, trainings: readonly TrainingId[]): Promise<void> {
  if (trainings.length === 0) return
  // Without this lock, two transactions that concurrently end the last two machines would not see each other's change.
  const locked = await lockSecurityGroups(tx, trainings)
  await setDesiredState(tx, 'security_group', {
    rows: locked.rows.map(({ id }) => id),
    where: sql`not exists (
      select from machine m where m.training_id = t.training_id and m.provider = t.provider
        and lower(m.place_group) = t.place_group
        and m.terminated_at is null)`,
  })
}
