import { sql } from 'kysely'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PrivateNetworkRow } from '../tables.gen.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'

const networkByName = (db: Db, name: string) =>
  db
    .selectFrom('private_network')
    .selectAll()
    .where(sql`comparison_key(name)`, '=', sql`comparison_key(${name})`)

/**
 * Locks a network. `use` blocks its deletion. `change` also blocks uses.
 * @throws Problem notFound
 */
export async function lockNetwork(tx: Tx, name: string, to: 'use' | 'change'): Promise<PrivateNetworkRow> {
  const query = networkByName(tx, name)
  const found = await (to === 'use' ? query.forShare() : query.forUpdate()).executeTakeFirst()
  if (found === undefined) throw notFound('private network')
  return found
}
