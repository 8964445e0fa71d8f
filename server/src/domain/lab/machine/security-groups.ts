import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'

/*
 * Whoever waits for several groups locks them in the order of their ids, as workers do that prolong their claims: two
 * that lock in different orders may wait for each other.
 */

/** Workers listen here for security groups that are due. */
export const SECURITY_GROUP_DUE = 'security_group_due'

/** Sees to it that a training has a security group wherever machines of it stand, and has them all looked at. */
export async function coverWithSecurityGroups(tx: Tx, training: TrainingId): Promise<void> {
  // Resource groups are told apart without regard to case: one writer each.
  await sql`
    insert into security_group (training_id, organisation_id, resource_group, location)
    select training_id, organisation_id, lower(resource_group), min(location) from machine
    where training_id = ${training} and terminated_at is null
    group by training_id, organisation_id, lower(resource_group)
    order by lower(resource_group)
    on conflict do nothing`.execute(tx)
  await wakeSecurityGroups(tx, training)
}

/** Has a training's security groups taken up at once: its ports changed, or machines came or went. */
export async function wakeSecurityGroups(tx: Tx, training: TrainingId): Promise<void> {
  await sql`
    with mine as (
      select id from security_group where training_id = ${training} order by id for update)
    update security_group g set reconcile_at = portal_now(), generation = generation + 1, attempts = 0
    from mine where g.id = mine.id`.execute(tx)
  await notifyWorkers(tx, SECURITY_GROUP_DUE)
}

/** Has those of some trainings' security groups taken up, to be deleted, around which no machine stands any more. */
export async function wakeEmptySecurityGroups(tx: Tx, trainings: readonly TrainingId[]): Promise<void> {
  if (trainings.length === 0) return
  // Of two last machines that end at once each would see the other: the later one waits, and then looks.
  const locked = await sql<{ id: string }>`
    select id from security_group where training_id = any(${trainings}::uuid[]) order by id for update`.execute(tx)
  const { rows } = await sql`
    update security_group g set reconcile_at = portal_now(), generation = generation + 1, attempts = 0
    where id = any(${locked.rows.map(({ id }) => id)}::uuid[]) and not exists (
      select from machine m where m.training_id = g.training_id and lower(m.resource_group) = g.resource_group
        and m.terminated_at is null)
    returning id`.execute(tx)
  if (rows.length > 0) await notifyWorkers(tx, SECURITY_GROUP_DUE)
}
