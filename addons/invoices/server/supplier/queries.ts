import { sql } from 'kysely'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

export const selectUsedPrefix = (tx: Tx, prefixes: readonly string[], gstin: string) =>
  sql<{ prefix: string }>`
    select prefix from document_series where prefix = any(${prefixes}::text[])
      and supplier_gstin <> ${gstin} and last_serial > 0 limit 1`.execute(tx)
