import { type RawBuilder, sql } from 'kysely'
import type { Instructor } from '../contract/training.ts'
import type { OrganisationId, TrainingId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { INSTRUCTOR } from '../contract/training-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { emit, event } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { ensureLearners } from '@trainyard/users/server/invite-users.ts'

interface Training {
  readonly id: TrainingId
  readonly name: string
  readonly organisationId: OrganisationId
}

/** SQL: true if the user is an instructor of the `training`. False for admins, who lead every class in their scope. */
export const isInstructedBy = ({ id }: Pick<Actor, 'id'>): RawBuilder<boolean> => sql<boolean>`exists (
  select from training_instructor where training_instructor.training_id = training.id
    and training_instructor.user_id = ${id})`

/** Returns true for admins and for the training's instructors. Streams must repeat this check. */
export async function leadsClass(db: Db, actor: Pick<Actor, 'id' | 'role'>, training: TrainingId): Promise<boolean> {
  if (actor.role !== 'user') return true
  const found = await db
    .selectFrom('training_instructor')
    .select('user_id')
    .where('training_id', '=', training)
    .where('user_id', '=', actor.id)
    .executeTakeFirst()
  return found !== undefined
}

export async function instructorsOf(db: Db, training: TrainingId): Promise<Instructor[]> {
  const rows = await db
    .selectFrom('training_instructor')
    .innerJoin('portal_user', 'portal_user.id', 'training_instructor.user_id')
    .select(['email', 'name', 'added_at', 'added_by'])
    .where('training_id', '=', training)
    .orderBy('email')
    .execute()
  return rows.map(({ email, name, added_at, added_by }) => ({
    email,
    name,
    since: added_at.toISOString(),
    addedBy: added_by,
  }))
}

/**
 * Makes a user an instructor of a training. A person who is no user yet becomes one with the role `user` and gets an invitation.
 * @throws Problem conflict if the e-mail address belongs to another organisation or to an admin
 */
export async function addInstructor(
  tx: Tx,
  jobs: JobQueue,
  { actor, email, training }: { readonly actor: Actor; readonly email: string; readonly training: Training },
): Promise<string> {
  await lockOrganisation(tx, training.organisationId, 'use')
  await ensureLearners(tx, jobs, training.organisationId, [email])
  const user = await tx
    .selectFrom('portal_user')
    .select(['id', 'role'])
    .where('email', '=', email)
    .forShare()
    .executeTakeFirstOrThrow()
  if (user.role !== 'user') throw conflict(INSTRUCTOR.leadsAlready(email, user.role))
  const added = await tx
    .insertInto('training_instructor')
    .values({
      training_id: training.id,
      organisation_id: training.organisationId,
      user_id: user.id,
      added_by: actor.email,
    })
    .onConflict((on) => on.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return added === undefined ? INSTRUCTOR.isInstructor(email) : INSTRUCTOR.added(email, training.name)
}

/** Users who no longer lead a training. Users who are deleted are not among them. */
export const instructorsRemoved = event<UserId>('trainings.instructorsRemoved')

/**
 * Removes instructors and returns how many. No other function deletes rows of `training_instructor`.
 * @param which condition on the row `i`
 */
export async function endInstructors(tx: Tx, which: RawBuilder<boolean>): Promise<number> {
  const rows = await tx.deleteFrom('training_instructor as i').where(which).returning('user_id as user').execute()
  await emit(tx, instructorsRemoved, [...new Set(rows.map(({ user }) => user))])
  return rows.length
}

/** Removes an instructor. Idempotent: a retry after a lost reply succeeds. */
export async function removeInstructor(tx: Tx, training: Training, email: string): Promise<string> {
  const removed = await endInstructors(
    tx,
    sql<boolean>`training_id = ${training.id} and user_id = (select id from portal_user where email = ${email})`,
  )
  return removed === 0 ? INSTRUCTOR.notInstructor(email) : INSTRUCTOR.removed(email, training.name)
}
