import { type RawBuilder, sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { invoice, ListedDocument, TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/contract/words/ids.ts'
import { REGISTRATION_DAYS, type Turnover } from '@trainyard/contract/words/tax-document.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound } from '../../../core/errors.ts'
import type { Db } from '../../../db/schema.ts'
import { isCancelled } from '../ledger/entries.ts'
import { IS_WITHHELD } from '../ledger/open.ts'

const PAGE = 500

export interface IssuedDocument {
  readonly id: TaxDocumentId
  readonly organisation: { readonly id: OrganisationId; readonly name: string }
  readonly document: TaxDocument
  /** Valid credit notes of an invoice, or refund vouchers of a receipt voucher. */
  readonly notes: readonly TaxDocument[]
  readonly debitNotes: readonly TaxDocument[]
  /** True while the customer must not receive the document, because its e-invoice registration is not recorded. */
  readonly isHeld: boolean
}

/**
 * Returns a document.
 * @throws Problem notFound, also for a document of another organisation and, except for superadmins, a withheld
 * document
 */
export async function documentInScope(db: Db, actor: Actor, number: string): Promise<IssuedDocument> {
  const found = await db
    .selectFrom('tax_document as d')
    .innerJoin('organisation', 'organisation.id', 'd.organisation_id')
    .select(['d.id', 'organisation_id', 'organisation.name', 'content', IS_WITHHELD.as('isHeld')])
    .where('number', '=', number.toUpperCase())
    .$if(actor.role !== 'superadmin', (query) =>
      query
        .where('organisation_id', '=', actor.organisation?.id ?? (null as never))
        .where(sql<boolean>`not ${IS_WITHHELD}`),
    )
    .executeTakeFirst()
  if (found === undefined) throw notFound('document')
  const corrections = await db
    .selectFrom('tax_document as n')
    .select(['kind', 'content'])
    .where('of_document', '=', found.id)
    .where(sql<boolean>`not ${isCancelled('n')}`)
    .orderBy('number')
    .execute()
  return {
    id: found.id,
    organisation: { id: found.organisation_id, name: found.name },
    document: found.content as TaxDocument,
    isHeld: found.isHeld,
    notes: corrections.filter(({ kind }) => kind !== 'debit note').map(({ content }) => content as TaxDocument),
    debitNotes: corrections.filter(({ kind }) => kind === 'debit note').map(({ content }) => content as TaxDocument),
  }
}

export async function listDocuments(
  db: Db,
  organisation: OrganisationId | null,
  before: string | undefined,
  isSupplier: boolean,
): Promise<{ documents: ListedDocument[]; earlier: string | null }> {
  // This condition also applies to the cursor, so that the page does not reveal if a number exists in another
  // organisation.
  const inScope = (column: RawBuilder<unknown>) =>
    organisation === null ? sql`true` : sql`${column} = ${organisation}`
  const { rows } = await sql<ListedDocument>`
    select d.number, d.kind, to_char(d.issued_on, 'YYYY-MM-DD') as date, o.name as organization,
      to_char(d.month, 'YYYY-MM') as month, coalesce(i.number, d.payment) as of, d.total_paise as "totalPaise",
      coalesce((select sum(n.total_paise) from tax_document n
        where n.of_document = d.id and n.kind <> 'debit note' and not ${isCancelled('n')}), 0)::bigint as "creditedPaise",
      exists (select from tax_document_registration r where r.document_id = d.id) as registered,
      ${isCancelled('d')} as cancelled
    from tax_document d join organisation o on o.id = d.organisation_id
      left join tax_document i on i.id = d.of_document
    where ${inScope(sql`d.organisation_id`)} and (${isSupplier} or not ${IS_WITHHELD})
      and ${before === undefined ? sql`true` : sql`(d.issued_on, d.number) < (select issued_on, number from tax_document where number = ${before} and ${inScope(sql`organisation_id`)})`}
    order by d.issued_on desc, d.number desc limit ${PAGE + 1}`.execute(db)
  const documents = rows.slice(0, PAGE)
  return { documents, earlier: rows.length > PAGE ? documents.at(-1)!.number : null }
}

/** Returns the documents that wait for a registration, oldest first. `today` is the supplier's day. */
export async function awaitingDocuments(
  db: Db,
  turnover: Turnover,
  today: string,
): Promise<ReplyOf<typeof invoice.preview>['awaiting']> {
  const days = turnover === '10 or more' ? REGISTRATION_DAYS : null
  const { rows } = await sql<ReplyOf<typeof invoice.preview>['awaiting'][number]>`
    select d.number, o.name as organization, to_char(d.issued_on, 'YYYY-MM-DD') as date,
      to_char(d.issued_on + ${days}::int, 'YYYY-MM-DD') as "registerBy",
      d.issued_on + ${days}::int - ${today}::date as "daysLeft"
    from tax_document d join organisation o on o.id = d.organisation_id
    where ${IS_WITHHELD} order by d.issued_on, d.number limit ${PAGE}`.execute(db)
  return rows
}

export const fileName = (number: string, ending: 'pdf' | 'json'): string => `${number.replaceAll('/', '-')}.${ending}`
