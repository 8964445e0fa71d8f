import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '../tables.gen.ts'
import { updateRefusal, clearRefusalOfTemplate } from './queries.ts'

/**
 * Stores a refusal on the template. Removes names of resources, because every organisation with the template can read
 * the reason.
 */
export async function recordRefusal(tx: Tx, machine: MachineRow, reason: string): Promise<void> {
  const nameless = reason
    .replaceAll(new RegExp(`(the machine )?${machine.name}`, 'gi'), 'a machine')
    .replaceAll(new RegExp(`(the security group )?training-${machine.training_id}`, 'gi'), 'a security group')
  await updateRefusal(tx, nameless, machine)
}

export async function clearRefusal(tx: Tx, machine: MachineRow): Promise<void> {
  await clearRefusalOfTemplate(tx, machine)
}
