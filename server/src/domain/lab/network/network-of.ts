import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/tables/machines.gen.ts'
import type { PrivateNetwork } from '../../../providers/machine-address.ts'

/** Returns the private network of a machine; null if the machine has a public address. */
export async function networkOf(
  db: Db,
  { private_network_id: id }: Pick<MachineRow, 'private_network_id'>,
): Promise<PrivateNetwork | null> {
  if (id === null) return null
  return db
    .selectFrom('private_network')
    .select(['id', 'route', 'ranges'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** SQL: private network of a row of `machine`, in the format that `networkOf` returns, for queries of many machines. */
export const NETWORK_OF_MACHINE = sql<PrivateNetwork | null>`(
  select jsonb_build_object('id', n.id, 'route', n.route, 'ranges', to_jsonb(n.ranges))
  from private_network n where n.id = machine.private_network_id)`
