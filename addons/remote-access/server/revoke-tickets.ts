import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

/** Revokes unused tickets, because their users may no longer have access. */
export async function revokeUnusedTickets(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  await tx
    .deleteFrom('remote_ticket')
    .where('machine_id', 'in', [...machines])
    .where('used_at', 'is', null)
    .execute()
}
