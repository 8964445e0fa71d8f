import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { absent, Problem } from '../../http/problem.ts'

export interface OrganisationInReach {
  readonly id: OrganisationId
  readonly name: string
  readonly timeZone: string
}

/**
 * The organisation that a call is about: the superadmin names any, everybody else has their own.
 * @throws Problem absent, in the same words for one that is not there and one that is somebody else's
 * @throws Problem broken when a superadmin names none
 */
export async function organisationInReach(
  db: Db,
  actor: Actor,
  name: string | undefined,
): Promise<OrganisationInReach> {
  if (actor.role === 'superadmin') {
    if (name === undefined) throw new Problem('broken', 'organization must say whose this is.')
    return organisationNamed(db, name)
  }
  const own = actor.organisation
  if (own === null || (name !== undefined && name.toLowerCase() !== own.name.toLowerCase())) {
    throw absent('organisation')
  }
  return own
}

/** @throws Problem absent */
export async function organisationNamed(db: Db, name: string): Promise<OrganisationInReach> {
  const found = await db
    .selectFrom('organisation')
    .select(['id', 'name', 'time_zone as timeZone'])
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) throw absent('organisation')
  return found
}
