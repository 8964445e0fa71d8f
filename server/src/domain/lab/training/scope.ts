import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound, Problem } from '../../../core/errors.ts'
import { organisationInScope } from '../../people/organisation/scope.ts'
import { refuseOutsideWindow } from './window.ts'

export interface TrainingInScope {
  readonly id: TrainingId
  readonly name: string
  readonly organisationId: OrganisationId
  /** The email of the learner whose machines alone are in scope; null: everybody's. */
  readonly onlyOf: string | null
}

/** The machines that each role sees, of those in its organisation; a superadmin sees every organisation's. */
const MACHINES_OF: Readonly<Record<Role, 'all' | 'own'>> = {
  user: 'own',
  admin: 'all',
  superadmin: 'all',
  // They have no organisation, and with it no machine.
  sandboxuser: 'own',
  awssandboxuser: 'own',
}

/** The e-mail of the actor whose own machines alone are in scope; null: everybody's. */
export const onlyOwn = ({ role, email }: Actor): string | null => (MACHINES_OF[role] === 'own' ? email : null)

/** A condition for queries that have `training`: a machine in it is this learner's. */
export const holdsMachineOf = (email: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from machine mine where mine.training_id = training.id and mine.email = ${email})`

/**
 * The machines that an actor may see and touch, at any hour: a query to narrow further.
 * @throws Problem notFound to somebody of no organisation
 */
export function machinesInScope(db: Db | Tx, actor: Actor) {
  const machines = db.selectFrom('machine')
  if (actor.role === 'superadmin') return machines
  if (actor.organisation === null) throw notFound('machine')
  const theirs = machines.where('organisation_id', '=', actor.organisation.id)
  const onlyOf = onlyOwn(actor)
  return onlyOf === null ? theirs : theirs.where('email', '=', onlyOf)
}

interface AskedTraining {
  readonly trainingName: string
  readonly organization?: string | undefined
}

/**
 * The training that a call is about. The scope of a user is those trainings in which a machine is theirs, while they are open.
 * @throws Problem notFound, in the same words for one that is not there and one that is out of scope
 * @throws Problem invalid when a superadmin's name for it fits several organisations
 * @throws Problem closed to a user outside the training's access window
 */
export async function trainingInScope(db: Db | Tx, actor: Actor, asked: AskedTraining): Promise<TrainingInScope> {
  const training = await trainingAtAnyHour(db, actor, asked)
  await refuseOutsideWindow(db, actor, [training.id])
  return training
}

/**
 * The training that a plan for its machines is about, its row held: what would hold for machines that come later is
 * refused for one that was removed, as for one that is not there.
 * @throws Problem as `trainingInScope`
 */
export async function trainingToPlan(tx: Tx, actor: Actor, asked: AskedTraining): Promise<TrainingInScope> {
  const training = await trainingInScope(tx, actor, asked)
  const stands = await tx
    .selectFrom('training')
    .select('id')
    .where('id', '=', training.id)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (stands === undefined) throw notFound('training')
  return training
}

/** As `trainingInScope`, whatever its access window says: for what neither reads nor touches its machines. */
export async function trainingAtAnyHour(db: Db | Tx, actor: Actor, asked: AskedTraining): Promise<TrainingInScope> {
  const anywhere = actor.role === 'superadmin' && asked.organization === undefined
  const organisation = anywhere ? null : await organisationInScope(db, actor, asked.organization)
  const onlyOf = onlyOwn(actor)
  let named = db
    .selectFrom('training')
    .innerJoin('organisation', 'organisation.id', 'training.organisation_id')
    .select(['training.id', 'training.name', 'training.organisation_id as organisationId'])
    .where('training.name', '=', asked.trainingName)
    .where('organisation.removed_at', 'is', null)
    .limit(2)
  if (organisation !== null) named = named.where('training.organisation_id', '=', organisation.id)
  if (onlyOf !== null) named = named.where(holdsMachineOf(onlyOf))
  const [found, second] = await named.execute()
  if (found === undefined) throw notFound('training')
  if (second !== undefined) {
    throw new Problem('invalid', `organization must say whose ${asked.trainingName} is meant: several have one.`)
  }
  return { ...found, onlyOf }
}

/**
 * Names of an organisation's trainings, without those removed, in alphabetical order; a user's are those in which a
 * machine is theirs.
 */
export async function trainingNames(db: Db, actor: Actor, organization: string): Promise<string[]> {
  const organisation = await organisationInScope(db, actor, organization)
  const onlyOf = onlyOwn(actor)
  let named = db
    .selectFrom('training')
    .select('name')
    .where('organisation_id', '=', organisation.id)
    .where('removed_at', 'is', null)
    .orderBy('name')
  if (onlyOf !== null) named = named.where(holdsMachineOf(onlyOf))
  return (await named.execute()).map((row) => row.name)
}
