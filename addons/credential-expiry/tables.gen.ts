import type { Selectable } from 'kysely'

export interface ExpiringCredentialTable {
  name: string
  ends_at: Date
}

export type ExpiringCredentialRow = Selectable<ExpiringCredentialTable>

export interface CredentialExpiryTables {
  expiring_credential: ExpiringCredentialTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends CredentialExpiryTables {}
}
