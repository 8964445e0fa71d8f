import { sql, type RawBuilder } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { search } from '../contract/search.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { isInstructedBy } from '@trainyard/trainings/server/instructor.ts'
import { hasMachineOf } from '@trainyard/trainings/server/queries.ts'
import { isWindowOpen } from '@trainyard/trainings/server/window.ts'

export const RESULTS_MAX = 8

export type Found = ReplyOf<typeof search.find>

function inScope(actor: Actor): RawBuilder<unknown> {
  if (actor.role === 'superadmin') return sql`true`
  if (actor.organisation === null) return sql`false`
  const own = sql`training.organisation_id = ${actor.organisation.id}`
  if (actor.role !== 'user') return own
  return sql`${own} and (${hasMachineOf(actor.email)} or ${isInstructedBy(actor)})`
}

export const selectOrganisationsLike = (db: Db, pattern: string) =>
  sql<{ name: string }>`
    select name from organisation
    where removed_at is null and lower(name) like ${pattern}
    order by name limit ${RESULTS_MAX}`.execute(db)

export const selectTrainingsLike = (db: Db, pattern: string, actor: Actor) =>
  sql<Found['trainings'][number]>`
    select organisation.name as organization, training.name as training
    from training join organisation on organisation.id = training.organisation_id
    where organisation.removed_at is null and training.removed_at is null
      and lower(training.name) like ${pattern} and ${inScope(actor)}
    order by training.name, organisation.name limit ${RESULTS_MAX}`.execute(db)

export const selectMachinesLike = (db: Db, begins: string, onlyOf: string | null, actor: Actor) => {
  const own =
    onlyOf === null ? sql`true` : sql`machine.email = ${onlyOf} and machine.withheld_at is null and ${isWindowOpen}`
  // Two queries, so that each has its own index. An "or" would scan all machines.
  const by = (column: RawBuilder<unknown>) => sql`
    (select machine.name, machine.email, machine.training_id, machine.organisation_id from machine
     join training on training.id = machine.training_id
     join organisation on organisation.id = training.organisation_id
     where machine.terminated_at is null and not machine.spare and ${column} like ${begins} and ${own} and ${inScope(actor)}
     order by ${column} limit ${RESULTS_MAX})`
  return sql<Found['machines'][number]>`
    select distinct organisation.name as organization, training.name as training, found.name as machine, found.email
    from (${by(sql`lower(machine.name)`)} union ${by(sql`machine.email`)}) found
    join training on training.id = found.training_id
    join organisation on organisation.id = found.organisation_id
    order by found.name limit ${RESULTS_MAX}`.execute(db)
}
