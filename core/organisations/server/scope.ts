import { sql } from 'kysely'
import { comparisonKey } from '@trainyard/platform/contract/words/comparison-key.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound, Problem } from '@trainyard/platform/server/core/errors.ts'

export interface OrganisationInScope {
  readonly id: OrganisationId
  readonly name: string
  readonly timeZone: string
}

/** @throws Problem notFound, also for an organisation of other users; invalid if a superadmin names no organisation */
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
  if (own === null || (name !== undefined && comparisonKey(name) !== comparisonKey(own.name))) {
    throw notFound('organisation')
  }
  return own
}

/**
 * Finds an organisation by name, as `comparisonKey` compares names.
 * @throws Problem notFound
 */
export async function organisationByName(db: Db, name: string): Promise<OrganisationInScope> {
  const found = await db
    .selectFrom('organisation')
    .select(['id', 'name', 'time_zone as timeZone'])
    .where(sql`comparison_key(name)`, '=', sql`comparison_key(${name})`)
    .orderBy((eb) => eb('name', '=', name), 'desc')
    .limit(1)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) throw notFound('organisation')
  return found
}

/**
 * Locks an organisation. `use` blocks its removal. `change` also blocks other changes. `remove` blocks all uses and
 * changes.
 * @throws Problem notFound
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
