import { type RawBuilder, sql } from 'kysely'

/** Condition for documents of the alias `d` that are withheld from their customer until their registration is recorded. */
export const IS_WITHHELD = sql<boolean>`(d.needs_registration
  and not exists (select from tax_document_registration r where r.document_id = d.id))`

/** Condition for documents of an alias whose registration is cancelled, so that they are no longer valid. */
export const isCancelled = (document: 'd' | 'n'): RawBuilder<boolean> => sql<boolean>`exists (
  select from e_invoice_cancellation c where c.document_id = ${sql.ref(`${document}.id`)})`
