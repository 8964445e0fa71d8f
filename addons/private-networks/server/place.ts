import { sql } from 'kysely'
import type { TemplateId } from '@trainyard/platform/contract/words/ids.ts'
import type { RowOf } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { machinesOrdered } from '@trainyard/machines/server/events.ts'
import type { templatesPlaced } from '@trainyard/templates/server/place.ts'
import { lockNetwork } from './find.ts'
import { placeOrderedMachines } from './queries.ts'

/** Sets the networks of templates. A template with another network can be ordered again after a refusal. */
export async function placeTemplates(tx: Tx, placed: readonly RowOf<typeof templatesPlaced>[]): Promise<void> {
  for (const { template, privateNetwork } of placed) {
    const network = privateNetwork === undefined ? null : (await lockNetwork(tx, privateNetwork, 'use')).id
    await tx
      .updateTable('template')
      .set({
        private_network_id: network,
        address_kind: network === null ? 'public address' : 'private address',
        refusal: null,
      })
      .where('id', '=', template)
      .where(sql<boolean>`private_network_id is distinct from ${network}::uuid`)
      .execute()
  }
}

export async function placeMachines(tx: Tx, orders: readonly RowOf<typeof machinesOrdered>[]): Promise<void> {
  for (const { machines, template } of orders) await placeOrderedMachines(tx, machines, template)
}

export async function networkNameOf(db: Db, template: TemplateId): Promise<string | null> {
  const row = await db
    .selectFrom('template')
    .innerJoin('private_network', 'private_network.id', 'template.private_network_id')
    .select('private_network.name')
    .where('template.id', '=', template)
    .executeTakeFirst()
  return row?.name ?? null
}
