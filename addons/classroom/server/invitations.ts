import type { InvitedLearner } from '../contract/classroom.ts'
import { CLASS } from '../contract/classroom-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { invitationState } from '@trainyard/users/server/invitation-state.ts'
import { inviteAgain } from '@trainyard/users/server/invite-users.ts'
import { personInScope } from '@trainyard/users/server/change-user.ts'
import type { TrainingInScope } from '@trainyard/trainings/server/scope.ts'
import { selectInvitations } from './queries.ts'

export async function invitationsOf(db: Db, { id }: Pick<TrainingInScope, 'id'>): Promise<InvitedLearner[]> {
  const { rows } = await selectInvitations(db, id)
  return rows.map(({ email, name, joined, ...newest }) => ({
    email,
    name,
    joined,
    invitation: joined ? null : invitationState(newest),
  }))
}

/**
 * Invites a learner of the training again. An instructor cannot correct the address of a learner who also has machines
 * in other trainings.
 * @throws Problem notFound for a user without a live machine in the training; conflict as `inviteAgain`
 */
export async function inviteLearner(
  tx: Tx,
  jobs: JobQueue,
  actor: Actor,
  {
    training,
    email,
    newEmail,
  }: { readonly training: TrainingInScope; readonly email: string; readonly newEmail: string },
): Promise<void> {
  const live = await tx
    .selectFrom('machine')
    .select('training_id')
    .distinct()
    .where('organisation_id', '=', training.organisationId)
    .where('email', '=', email)
    .where('terminated_at', 'is', null)
    .where('desired', '<>', 'gone')
    .where('withheld_at', 'is', null)
    .execute()
  if (!live.some(({ training_id }) => training_id === training.id)) throw notFound('user')
  const person = await personInScope(tx, actor, email)
  if (person.role !== 'user') throw notFound('user')
  if (actor.role === 'user' && newEmail !== email && live.length > 1) throw conflict(CLASS.inOtherClasses(email))
  await inviteAgain(tx, jobs, person, { newEmail, by: actor.role })
}
