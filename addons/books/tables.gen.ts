import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Selectable } from 'kysely'

export interface CustomerLedgerTable {
  organisation_id: OrganisationId
  name: string
}

export type CustomerLedgerRow = Selectable<CustomerLedgerTable>

export interface BooksTables {
  customer_ledger: CustomerLedgerTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends BooksTables {}
}
