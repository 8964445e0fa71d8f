import { sql } from 'kysely'
import type { PrivateNetworkId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { PrivateNetworkRow } from '../../../db/tables/private-networks.gen.ts'
import { notFound } from '../../../core/errors.ts'

const networkByName = (db: Db, name: string) =>
  db
    .selectFrom('private_network')
    .selectAll()
    .where(sql`comparison_key(name)`, '=', sql`comparison_key(${name})`)

/**
 * Locks the network that a template's form names and returns its ID; null if the form names no network. @throws Problem
 * notFound
 */
export async function lockNetworkOf(
  tx: Tx,
  { privateNetwork }: { readonly privateNetwork?: string | undefined },
): Promise<PrivateNetworkId | null> {
  return privateNetwork === undefined ? null : (await lockNetwork(tx, privateNetwork, 'use')).id
}

export async function networkNameOf(
  db: Db,
  { private_network_id: id }: { readonly private_network_id: PrivateNetworkId | null },
): Promise<string | null> {
  if (id === null) return null
  const { name } = await db.selectFrom('private_network').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  return name
}

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
