import type { handEvents } from '../contract/hand-event.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { classroom } from '../contract/classroom.ts'
import { HAND_REASONS, type HandReason } from '../contract/classroom-words.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { leadsClass } from '@trainyard/trainings/server/instructor.ts'
import { trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { upsertHand, selectRaisedHands, selectMachineOf } from './queries.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { noticed, publish } from '@trainyard/users/server/notices.ts'
import { activityChanged } from '@trainyard/trainings/server/machine-changes.ts'

interface HandOf {
  readonly trainingName: string
  readonly organization?: string | undefined
}

/**
 * Raises a learner's hand. A hand that is already raised retains its time. A new reason replaces the previous reason.
 */
export async function raiseHand(
  tx: Tx,
  actor: Actor,
  of: HandOf & { readonly reason?: HandReason | undefined },
): Promise<void> {
  const { id, organisationId } = await trainingInScope(tx, actor, of)
  await requireMachineOf(tx, id, actor.email)
  const { rows } = await upsertHand(tx, {
    training: id,
    organisation: organisationId,
    email: actor.email,
    reason: of.reason ?? null,
  })
  const { reason, raisedAt, isNew, isChanged } = rows[0]!
  if (isNew) {
    const resource = `hand:${id}:${actor.email}` as const
    const data = { learner: actor.email, reason }
    await publish<typeof handEvents>(tx, [
      { organisation: organisationId, type: 'hand.raised', resource, training: id, data },
    ])
  }
  if (isNew || isChanged) {
    await handChanged(tx, id, actor.email)
    if (actor.organisation?.id !== organisationId) return
    await emit(tx, noticed, [
      {
        audience: 'class',
        organisation: organisationId,
        training: id,
        about: actor.id,
        kind: 'hand.raised',
        text: `${actor.email} raised a hand${reason === null ? '' : `: ${HAND_REASONS[reason]}`}.`,
        link: '/vm/class',
        quietMinutes: 1,
        since: raisedAt,
      },
    ])
  }
}

/** @throws Problem notFound if the learner has no machine in the training, or if a learner names another learner */
export async function lowerHand(
  tx: Tx,
  actor: Actor,
  of: HandOf & { readonly email?: string | undefined },
): Promise<void> {
  const { id, organisationId } = await trainingInScope(tx, actor, of)
  const email = of.email ?? actor.email
  if (email !== actor.email && !(await leadsClass(tx, actor, id))) throw notFound('learner')
  await requireMachineOf(tx, id, email)
  const { numDeletedRows } = await tx
    .deleteFrom('raised_hand')
    .where('training_id', '=', id)
    .where('email', '=', email)
    .executeTakeFirst()
  if (numDeletedRows > 0n) {
    await handChanged(tx, id, email)
    const resource = `hand:${id}:${email}` as const
    await publish<typeof handEvents>(tx, [
      { organisation: organisationId, type: 'hand.lowered', resource, training: id, data: { learner: email } },
    ])
  }
}

/** Lowers all hands of a training, whose class has ended. */
export async function lowerHands(tx: Tx, training: TrainingId): Promise<void> {
  const lowered = await tx
    .deleteFrom('raised_hand')
    .where('training_id', '=', training)
    .returning(['email', 'organisation_id as organisation'])
    .execute()
  if (lowered.length === 0) return
  for (const { email } of lowered) await handChanged(tx, training, email)
  await publish<typeof handEvents>(
    tx,
    lowered.map(({ email, organisation }) => {
      const resource = `hand:${training}:${email}` as const
      return { organisation, type: 'hand.lowered', resource, training, data: { learner: email } }
    }),
  )
}

async function handChanged(tx: Tx, training: TrainingId, email: string): Promise<void> {
  const machines = await tx
    .selectFrom('machine')
    .select('id')
    .where('training_id', '=', training)
    .where('email', '=', email)
    .where('terminated_at', 'is', null)
    .execute()
  await activityChanged(
    tx,
    machines.map(({ id }) => id),
  )
}

/** Returns the raised hands in the classes that the actor leads, the earliest hand first. */
export async function handsOf(db: Db, actor: Actor): Promise<ReplyOf<typeof classroom.hands>['hands']> {
  if (actor.organisation === null) return []

  const { rows } = await selectRaisedHands(db, actor, actor.organisation.id)
  return rows.map(({ training, email, reason, raised_at }) => ({
    trainingName: training,
    email,
    reason,
    raisedAt: raised_at.toISOString(),
  }))
}

async function requireMachineOf(tx: Tx, training: TrainingId, email: string): Promise<void> {
  const { rows } = await selectMachineOf(tx, training, email)
  if (rows.length === 0) throw notFound('learner')
}
