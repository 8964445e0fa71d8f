import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { PrivateNetwork } from '../../../providers/machine-address.ts'
import type { Shells } from '../../../providers/shell.ts'
import { NETWORK_OF_MACHINE } from '../network/network-of.ts'
import { isPinnedKey } from './host-key.ts'

/** A machine without a key within an hour is pinned at the first connection instead. */
const AT_ONCE = 20

/** Before any user connects. */
export async function pinFirstKeys(db: Db, shells: Pick<Shells, 'getHostKey'>, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: MachineId; address: string; network: PrivateNetwork | null }>`
    select id, public_ip as address, ${NETWORK_OF_MACHINE} as network from machine
    where host_key is null and guacamole and os = 'Linux' and terminated_at is null
      and first_seen_at > portal_now() - interval '1 hour' and observed = 'running' and public_ip is not null
    order by first_seen_at limit ${AT_ONCE}`.execute(db)
  await Promise.all(
    rows.map(async ({ id, ...at }) => {
      // The machine may still be booting: the next run retries.
      const key = await shells.getHostKey(at, signal).catch(() => null)
      if (key !== null) await isPinnedKey(db, id, key)
    }),
  )
}
