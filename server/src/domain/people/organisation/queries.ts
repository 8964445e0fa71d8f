import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { CustomerPlace } from '@trainyard/contract/words/tax-document.ts'
import type { Tx, Db } from '../../../db/schema.ts'

/** Data that, together with the addresses, decides how a customer's invoices are taxed. */
export interface TaxStatus {
  readonly place: CustomerPlace
  readonly gstin: string | null
}

export const selectTimeZone = (tx: Tx, timeZone: string) =>
  sql`select from pg_timezone_names where name = ${timeZone}`.execute(tx)

export const selectTaxStatusOn = (db: Db, id: OrganisationId, day: string | null) =>
  sql<TaxStatus>`
    select place, gstin from tax_status_on(${id}, coalesce(${day}::date, supplier_today()))`.execute(db)

export const selectTaxedDay = (tx: Tx, organisation: OrganisationId, from: string | null) =>
  sql<{ day: string; number: string | null }>`
    select to_char(day, 'YYYY-MM-DD') as day, (select number from tax_document d
      where organisation_id = ${organisation} and issued_on > day and not exists (select from e_invoice_cancellation c
        where c.document_id = d.id) order by issued_on desc limit 1) as number
    from coalesce(${from}::date, supplier_today()) as day`.execute(tx)
