import type { PrivateNetworkId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface PrivateNetworkTable {
  id: Generated<PrivateNetworkId>
  name: string
  route: 'gateway' | 'peering'
  ranges: string[]
  created_at: Generated<Date>
  ticket_key: Buffer | null
  ticket_public_key: Buffer | null
  enrolment_hash: Buffer | null
  enrolment_expires_at: Date | null
  agent_key: Buffer | null
  enrolled_at: Date | null
  connection: string | null
  held_at: string | null
  connected_at: Date | null
  seen_at: Date | null
  agent_version: string | null
  agent_address: string | null
  agent_ranges: string[] | null
  duplicate_seen_at: Date | null
  duplicate_addresses: string[] | null
}

export type PrivateNetworkRow = Selectable<PrivateNetworkTable>

export interface PrivateNetworksTables {
  private_network: PrivateNetworkTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends PrivateNetworksTables {}
}
