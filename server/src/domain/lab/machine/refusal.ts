import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'

/** The template that a machine was ordered of, as long as it says what the machine is made of. */
const templateOf = ({ order_id, image_id, vm_size, location }: MachineRow) => sql`
  name = (select template_name from machine_order where id = ${order_id})
    and image_id = ${image_id} and vm_size = ${vm_size} and location = ${location}`

/**
 * Says on a machine's template that none can be made of it. Every organisation that has the template reads that, so the
 * machine, which bears the name of one organisation's training, is not named.
 */
export async function noteRefusal(tx: Tx, machine: MachineRow, reason: string): Promise<void> {
  const nameless = reason.replaceAll(new RegExp(`(the machine )?${machine.name}`, 'gi'), 'a machine')
  await sql`update template set refusal = ${nameless} where ${templateOf(machine)}`.execute(tx)
}

/** Takes it back: a machine is being made of that template. */
export async function forgetRefusal(tx: Tx, machine: MachineRow): Promise<void> {
  await sql`update template set refusal = null where refusal is not null and ${templateOf(machine)}`.execute(tx)
}
