import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { isClosedTo, outsideWindow, type WindowHours } from './window.ts'
import { isInstructedBy } from './instructor.ts'
import { hasMachineOf, selectMachines } from './queries.ts'

export interface TrainingInScope {
  readonly id: TrainingId
  readonly name: string
  readonly organisationId: OrganisationId
  /** E-mail address of the learner to whose machines the scope is limited; null for no limit. */
  readonly onlyOf: string | null
}

const MACHINES_OF: Readonly<Record<Role, 'all' | 'own'>> = {
  user: 'own',
  admin: 'all',
  superadmin: 'all',
  // Users with these roles have no organisation and therefore no machines.
  sandboxuser: 'own',
  awssandboxuser: 'own',
}

export const ownMachinesEmail = ({ role, email }: Actor): string | null => (MACHINES_OF[role] === 'own' ? email : null)

/**
 * SQL: machines in the scope of the actor, regardless of access windows.
 * @throws Problem notFound to an actor without an organisation
 */
export function machinesInScope(db: Db | Tx, actor: Actor) {
  const machines = selectMachines(db)
  if (actor.role === 'superadmin') return machines
  if (actor.organisation === null) throw notFound('machine')
  const ownMachines = machines.where('organisation_id', '=', actor.organisation.id)
  const onlyOf = ownMachinesEmail(actor)
  return onlyOf === null ? ownMachines : ownMachines.where('email', '=', onlyOf).where('withheld_at', 'is', null)
}

/**
 * Returns the machines of the classes that the actor leads. A user leads the trainings of which the user is an
 * instructor. An admin leads all trainings of the organisation. @throws as `machinesInScope`
 */
export function machinesOfClasses(db: Db | Tx, actor: Actor) {
  if (MACHINES_OF[actor.role] === 'all') return machinesInScope(db, actor)
  if (actor.organisation === null) throw notFound('machine')
  return selectMachines(db)
    .where('organisation_id', '=', actor.organisation.id)
    .where('training_id', 'in', instructedTrainings(actor))
}

/**
 * Returns the actor's own machines and the machines of the classes that the actor leads. @throws as `machinesInScope`
 */
export function machinesToCommand(db: Db | Tx, actor: Actor) {
  const onlyOf = ownMachinesEmail(actor)
  if (onlyOf === null) return machinesInScope(db, actor)
  if (actor.organisation === null) throw notFound('machine')
  return selectMachines(db)
    .where('organisation_id', '=', actor.organisation.id)
    .where((eb) =>
      eb.or([
        eb('email', '=', onlyOf).and('withheld_at', 'is', null),
        eb('training_id', 'in', instructedTrainings(actor)),
      ]),
    )
}

const instructedTrainings = ({ id }: Actor) =>
  sql<TrainingId>`(select training_id from training_instructor where user_id = ${id})`

export interface TrainingRef {
  readonly trainingName: string
  readonly organization?: string | undefined
}

/**
 * Returns a training in the actor's scope. For users the result is the same as of `trainingIgnoringWindow`, and
 * `onlyOf` limits them to their own machines.
 * @throws Problem notFound, also out of scope; invalid for an ambiguous name; closed outside the access window
 */
export async function trainingInScope(db: Db | Tx, actor: Actor, request: TrainingRef): Promise<TrainingInScope> {
  const { hours, ...training } = await findOwnTraining(db, actor, request)
  if (hours !== null) throw outsideWindow(hours)
  return training
}

/**
 * Returns a training whose class the actor leads. For users these are the trainings of which they are instructors,
 * regardless of the access window. `onlyOf` is null. @throws as `trainingInScope`
 */
export async function classInScope(db: Db | Tx, actor: Actor, request: TrainingRef): Promise<TrainingInScope> {
  const onlyOf = ownMachinesEmail(actor)
  return onlyOf === null
    ? trainingInScope(db, actor, request)
    : { ...(await findTraining(db, actor, request, isInstructedBy(actor))).training, onlyOf: null }
}

/**
 * Locks a training for planning. A removed training is not found, because the plan would apply to later orders.
 * @throws as `classInScope`
 */
export async function lockTrainingToPlan(tx: Tx, actor: Actor, request: TrainingRef): Promise<TrainingInScope> {
  const training = await classInScope(tx, actor, request)
  const planned = await tx
    .selectFrom('training')
    .select('id')
    .where('id', '=', training.id)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (planned === undefined) throw notFound('training')
  return training
}

/**
 * Returns a training. Users find trainings in which they have a machine, and trainings of which they are instructors.
 */
export async function trainingIgnoringWindow(
  db: Db | Tx,
  actor: Actor,
  request: TrainingRef,
): Promise<TrainingInScope> {
  const { hours: _ignored, ...training } = await findOwnTraining(db, actor, request)
  return training
}

/** Returns the training. `hours` is its access window if the window excludes the actor now, otherwise null. */
async function findOwnTraining(
  db: Db | Tx,
  actor: Actor,
  request: TrainingRef,
): Promise<TrainingInScope & { readonly hours: WindowHours | null }> {
  const onlyOf = ownMachinesEmail(actor)
  const only = onlyOf === null ? null : isOfUser(onlyOf, actor)
  const { training, hours } = await findTraining(db, actor, request, only)
  return { ...training, onlyOf, hours }
}

const isOfUser = (email: string, actor: Actor): RawBuilder<boolean> =>
  sql<boolean>`(${hasMachineOf(email)} or ${isInstructedBy(actor)})`

async function findTraining(
  db: Db | Tx,
  actor: Actor,
  request: TrainingRef,
  only: RawBuilder<boolean> | null,
): Promise<{ readonly training: Omit<TrainingInScope, 'onlyOf'>; readonly hours: WindowHours | null }> {
  const isAnyOrganisation = actor.role === 'superadmin' && request.organization === undefined
  const organisation = isAnyOrganisation ? null : await organisationInScope(db, actor, request.organization)
  let matching = db
    .selectFrom('training')
    .innerJoin('organisation', 'organisation.id', 'training.organisation_id')
    .select(['training.id', 'training.name', 'training.organisation_id as organisationId'])
    .select(['access_start', 'access_stop', 'access_days', isClosedTo(actor).as('closed')])
    .where('training.name', '=', request.trainingName)
    .where('organisation.removed_at', 'is', null)
    .limit(2)
  if (organisation !== null) matching = matching.where('training.organisation_id', '=', organisation.id)
  if (only !== null) matching = matching.where(only)
  const [found, second] = await matching.execute()
  if (found === undefined) throw notFound('training')
  if (second !== undefined) {
    throw new Problem(
      'invalid',
      `organization is required: several organisations have a training ${request.trainingName}.`,
    )
  }
  const { id, name, organisationId, closed, ...hours } = found
  return { training: { id, name, organisationId }, hours: closed ? hours : null }
}

export async function trainingNames(db: Db, actor: Actor, organization: string): Promise<string[]> {
  const organisation = await organisationInScope(db, actor, organization)
  const onlyOf = ownMachinesEmail(actor)
  let matching = db
    .selectFrom('training')
    .select('name')
    .where('organisation_id', '=', organisation.id)
    .where('removed_at', 'is', null)
    .orderBy('name')
  if (onlyOf !== null) matching = matching.where(isOfUser(onlyOf, actor))
  return (await matching.execute()).map((row) => row.name)
}
