import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { ownMachinesEmail } from '@trainyard/trainings/server/scope.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import { pagesSought } from '@trainyard/platform/server/core/search.ts'
import { RESULTS_MAX, selectOrganisationsLike, selectTrainingsLike, selectMachinesLike, type Found } from './queries.ts'

/** Searches the actor's scope. Excludes trainings whose access window is closed to the actor. */
export async function find(db: Db, actor: Actor, text: string): Promise<Found> {
  const pattern = text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)
  const [organizations, trainings, machines, pages] = await Promise.all([
    actor.role === 'superadmin' ? organisationsWith(db, pattern) : [],
    trainingsWith(db, actor, pattern),
    machinesStartingWith(db, actor, pattern),
    pagesStartingWith(db, actor, pattern),
  ])
  return { organizations, trainings, machines, pages }
}

async function pagesStartingWith(db: Db, { role, organisation }: Actor, pattern: string): Promise<Found['pages']> {
  const within = role === 'superadmin' ? null : role === 'admin' ? organisation?.id : undefined
  if (within === undefined) return []
  return [...(await ask(db, pagesSought, { begins: `${pattern}%`, within, most: RESULTS_MAX }))]
}

async function organisationsWith(db: Db, pattern: string): Promise<string[]> {
  const { rows } = await selectOrganisationsLike(db, `%${pattern}%`)
  return rows.map(({ name }) => name)
}

async function trainingsWith(db: Db, actor: Actor, pattern: string): Promise<Found['trainings']> {
  const { rows } = await selectTrainingsLike(db, `%${pattern}%`, actor)
  return rows
}

async function machinesStartingWith(db: Db, actor: Actor, pattern: string): Promise<Found['machines']> {
  const begins = `${pattern}%`
  const onlyOf = ownMachinesEmail(actor)

  const { rows } = await selectMachinesLike(db, begins, onlyOf, actor)
  return rows
}
