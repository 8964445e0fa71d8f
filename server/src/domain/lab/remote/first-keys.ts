import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { PrivateNetwork } from '../../../providers/machine-address.ts'
import type { Shells } from '../../../providers/shell.ts'
import { NETWORK_OF_MACHINE } from '../network/network-of.ts'
import { isPinnedKey } from './host-key.ts'

/**
 * Number of machines to which the task connects concurrently. If a machine has no key after an hour, its first
 * connection pins the key instead.
 */
const AT_ONCE = 20

/** Pins the keys of machines before a user connects. */
export async function pinFirstKeys(db: Db, shells: Pick<Shells, 'getHostKey'>, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: MachineId; address: string; network: PrivateNetwork | null }>`
    select id, public_ip as address, ${NETWORK_OF_MACHINE} as network from machine
    where host_key is null and guacamole and os = 'Linux' and terminated_at is null
      and first_seen_at > portal_now() - interval '1 hour' and observed = 'running' and public_ip is not null
    -- In turn by organisation, so that machines that do not answer delay only those of their organisation.
    order by row_number() over (partition by organisation_id order by random()), random() limit ${AT_ONCE}`.execute(db)
  await Promise.all(
    rows.map(async ({ id, ...at }) => {
      // The machine may still be starting. The next run retries it.
      const key = await shells.getHostKey(at, signal).catch(() => null)
      if (key !== null) await isPinnedKey(db, id, key)
    }),
  )
}
