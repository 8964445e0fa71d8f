import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/tables/machines.gen.ts'

/**
 * SQL: the template with the values that the machine was created from. A template that has changed since then does not
 * match.
 */
const templateOf = ({ order_id, image_id, vm_size, location }: MachineRow) => sql`
  name = (select template_name from machine_order where id = ${order_id})
    and image_id = ${image_id} and vm_size = ${vm_size} and location = ${location}`

/**
 * Stores a refusal on the template. Removes names of resources, because every organisation with the template can read
 * the reason.
 */
export async function recordRefusal(tx: Tx, machine: MachineRow, reason: string): Promise<void> {
  const nameless = reason
    .replaceAll(new RegExp(`(the machine )?${machine.name}`, 'gi'), 'a machine')
    .replaceAll(new RegExp(`(the security group )?training-${machine.training_id}`, 'gi'), 'a security group')
  await sql`update template set refusal = ${nameless}
    where refusal is distinct from ${nameless} and ${templateOf(machine)}`.execute(tx)
}

export async function clearRefusal(tx: Tx, machine: MachineRow): Promise<void> {
  await sql`update template set refusal = null where refusal is not null and ${templateOf(machine)}`.execute(tx)
}
