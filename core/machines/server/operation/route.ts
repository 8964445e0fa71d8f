import { sql } from 'kysely'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { sqlHook, sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { PrivateNetwork } from '@trainyard/templates/server/machine-address.ts'

/** SQL: private network of a row of `machine`; null if the machine has a public address. */
export const routeTo = sqlHook<undefined, PrivateNetwork | null>('machines.routeTo', (networks) =>
  networks.length === 0 ? sql`null::jsonb` : sql`coalesce(${sql.join(networks)})`,
)

/** Returns the private network of a machine; null if the machine has a public address. */
export async function networkOf(db: Db, machine: MachineId): Promise<PrivateNetwork | null> {
  const row = await db
    .selectFrom('machine')
    .select(sqlOf(routeTo, undefined).as('network'))
    .where('id', '=', machine)
    .executeTakeFirst()
  return row?.network ?? null
}
