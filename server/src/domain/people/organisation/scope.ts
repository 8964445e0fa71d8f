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
 * Returns the organisation of a call. Superadmins give any organisation, other users have their own.
 * @throws Problem notFound with the same message for an unknown organisation and one of other users
 * @throws Problem invalid if a superadmin gives none
 */
export async function organisationInScope(
  db: Db,
  actor: Actor,
  name: string | undefined,
): Promise<OrganisationInScope> {
  if (actor.role === 'superadmin') {
    if (name === undefined) throw new Problem('invalid', 'organization must be given.')
    return organisationByName(db, name)
  }
  const own = actor.organisation
  if (own === null || (name !== undefined && name.toLowerCase() !== own.name.toLowerCase())) {
    throw notFound('organisation')
  }
  return own
}

/**
 * Finds an organisation by name, ignoring case.
 * @throws Problem notFound
 */
export async function organisationByName(db: Db, name: string): Promise<OrganisationInScope> {
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
 * Locks an organisation until the transaction ends. `use` blocks its removal, `change` also blocks other changes,
 * `remove` blocks all of these.
 * @throws Problem notFound if it was removed concurrently
 */
export async function lockOrganisation(tx: Tx, id: OrganisationId, to: 'use' | 'change' | 'remove'): Promise<void> {
  const locked = await tx
    .selectFrom('organisation')
    .select('id')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .$if(to === 'use', (row) => row.forKeyShare())
    .$if(to === 'change', (row) => row.forNoKeyUpdate())
    .$if(to === 'remove', (row) => row.forUpdate())
    .executeTakeFirst()
  if (locked === undefined) throw notFound('organisation')
}
