import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound, Problem } from '../../../core/errors.ts'

export interface OrganisationInScope {
  readonly id: OrganisationId
  readonly name: string
  readonly timeZone: string
}

/**
 * The organisation that a call is about: the superadmin names any, everybody else has their own.
 * @throws Problem notFound, in the same words for one that is not there and one that is somebody else's
 * @throws Problem invalid when a superadmin names none
 */
export async function organisationInScope(
  db: Db,
  actor: Actor,
  name: string | undefined,
): Promise<OrganisationInScope> {
  if (actor.role === 'superadmin') {
    if (name === undefined) throw new Problem('invalid', 'organization must say whose this is.')
    return organisationNamed(db, name)
  }
  const own = actor.organisation
  if (own === null || (name !== undefined && name.toLowerCase() !== own.name.toLowerCase())) {
    throw notFound('organisation')
  }
  return own
}

/** @throws Problem notFound */
export async function organisationNamed(db: Db, name: string): Promise<OrganisationInScope> {
  const found = await db
    .selectFrom('organisation')
    .select(['id', 'name', 'time_zone as timeZone'])
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) throw notFound('organisation')
  return found
}

/**
 * Holds an organisation until the transaction ends: to use it, against its removal; to change it, against
 * other changes; to remove it, against every use.
 * @throws Problem notFound when it was removed meanwhile
 */
export async function holdOrganisation(tx: Tx, id: OrganisationId, to: 'use' | 'change' | 'remove'): Promise<void> {
  const held = await tx
    .selectFrom('organisation')
    .select('id')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .$if(to === 'use', (row) => row.forKeyShare())
    .$if(to === 'change', (row) => row.forNoKeyUpdate())
    .$if(to === 'remove', (row) => row.forUpdate())
    .executeTakeFirst()
  if (held === undefined) throw notFound('organisation')
}
