import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'

/** SQL condition for the template from which a machine was ordered, unless the template has changed since. */
const templateOf = ({ order_id, image_id, vm_size, location }: MachineRow) => sql`
  name = (select template_name from machine_order where id = ${order_id})
    and image_id = ${image_id} and vm_size = ${vm_size} and location = ${location}`

/**
 * Stores on a machine's template that the provider refuses to create machines from it. Every organisation with the
 * template can read the reason, so the machine's name is removed: it contains the name of one organisation's training.
 */
export async function recordRefusal(tx: Tx, machine: MachineRow, reason: string): Promise<void> {
  const nameless = reason.replaceAll(new RegExp(`(the machine )?${machine.name}`, 'gi'), 'a machine')
  await sql`update template set refusal = ${nameless} where ${templateOf(machine)}`.execute(tx)
}

/** Removes the stored refusal, because the provider accepted a machine from this template. */
export async function clearRefusal(tx: Tx, machine: MachineRow): Promise<void> {
  await sql`update template set refusal = null where refusal is not null and ${templateOf(machine)}`.execute(tx)
}
