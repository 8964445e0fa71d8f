import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'

/** Takes back the tickets to machines that nobody has used yet: they were given to those who had the machines until now. */
export async function forgetTickets(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  await tx
    .deleteFrom('remote_ticket')
    .where('machine_id', 'in', [...machines])
    .where('used_at', 'is', null)
    .execute()
}
