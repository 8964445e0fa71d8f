import { sql } from 'kysely'
import type { MachineId, PrivateNetworkId, TemplateId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PrivateNetworkRow } from '../tables.gen.ts'

export const selectNetworks = (db: Db) =>
  sql<PrivateNetworkRow & { templates: number; machines: number; now: Date }>`
    select n.*, portal_now() as now,
      (select count(*) from template t where t.private_network_id = n.id)::int as templates,
      (select count(*) from machine m where m.private_network_id = n.id and m.terminated_at is null)::int as machines
    from private_network n order by lower(n.name)`.execute(db)

export const countUses = (tx: Tx, id: PrivateNetworkId) =>
  sql<{ templates: number; machines: number }>`
    select (select count(*) from template where private_network_id = ${id})::int as templates,
      (select count(*) from machine where private_network_id = ${id})::int as machines`.execute(tx)

export const placeOrderedMachines = (tx: Tx, machines: readonly MachineId[], template: TemplateId) =>
  sql`
    update machine m set private_network_id = t.private_network_id, address_kind = t.address_kind
    from template t
    where t.id = ${template} and t.private_network_id is not null and m.id = any(${machines}::uuid[])`.execute(tx)
