import { type RawBuilder, sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { search } from '@trainyard/contract/calls/search.ts'
import type { Db } from '../../db/schema.ts'
import type { Actor } from '../../core/actor.ts'
import { hasMachineOf, ownMachinesEmail } from '../lab/training/scope.ts'
import { isInstructedBy } from '../lab/training/instructor.ts'
import { isWindowOpen } from '../lab/training/window.ts'

type Found = ReplyOf<typeof search.find>

const RESULTS_MAX = 8

/** Searches the actor's scope. Excludes trainings whose access window is closed to the actor. */
export async function find(db: Db, actor: Actor, text: string): Promise<Found> {
  const pattern = text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)
  const [organizations, trainings, machines] = await Promise.all([
    actor.role === 'superadmin' ? organisationsWith(db, pattern) : [],
    trainingsWith(db, actor, pattern),
    machinesStartingWith(db, actor, pattern),
  ])
  return { organizations, trainings, machines }
}

async function organisationsWith(db: Db, pattern: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from organisation
    where removed_at is null and lower(name) like ${`%${pattern}%`}
    order by name limit ${RESULTS_MAX}`.execute(db)
  return rows.map(({ name }) => name)
}

async function trainingsWith(db: Db, actor: Actor, pattern: string): Promise<Found['trainings']> {
  const { rows } = await sql<Found['trainings'][number]>`
    select organisation.name as organization, training.name as training
    from training join organisation on organisation.id = training.organisation_id
    where organisation.removed_at is null and training.removed_at is null
      and lower(training.name) like ${`%${pattern}%`} and ${inScope(actor)}
    order by training.name, organisation.name limit ${RESULTS_MAX}`.execute(db)
  return rows
}

async function machinesStartingWith(db: Db, actor: Actor, pattern: string): Promise<Found['machines']> {
  const begins = `${pattern}%`
  const onlyOf = ownMachinesEmail(actor)
  const own =
    onlyOf === null ? sql`true` : sql`machine.email = ${onlyOf} and machine.withheld_at is null and ${isWindowOpen}`
  // Two queries are used, so that each has its own index. An "or" would scan all machines.
  const by = (column: RawBuilder<unknown>) => sql`
    (select machine.name, machine.email, machine.training_id, machine.organisation_id from machine
     join training on training.id = machine.training_id
     join organisation on organisation.id = training.organisation_id
     where machine.terminated_at is null and ${column} like ${begins} and ${own} and ${inScope(actor)}
     order by ${column} limit ${RESULTS_MAX})`
  const { rows } = await sql<Found['machines'][number]>`
    select distinct organisation.name as organization, training.name as training, found.name as machine, found.email
    from (${by(sql`lower(machine.name)`)} union ${by(sql`machine.email`)}) found
    join training on training.id = found.training_id
    join organisation on organisation.id = found.organisation_id
    order by found.name limit ${RESULTS_MAX}`.execute(db)
  return rows
}

function inScope(actor: Actor): RawBuilder<unknown> {
  if (actor.role === 'superadmin') return sql`true`
  if (actor.organisation === null) return sql`false`
  const own = sql`training.organisation_id = ${actor.organisation.id}`
  if (actor.role !== 'user') return own
  return sql`${own} and (${hasMachineOf(actor.email)} or ${isInstructedBy(actor)})`
}
