import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice, ListedDocument, TaxDocument } from '../contract/invoice.ts'
import type { OrganisationId, TaxDocumentId } from '@trainyard/platform/contract/words/ids.ts'
import { REGISTRATION_DAYS, type Turnover } from '@trainyard/ledger/contract/tax-document.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { isCancelled } from './conditions.ts'
import { IS_WITHHELD } from './conditions.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { pagesSought } from '@trainyard/platform/server/core/search.ts'
import { selectDocuments, selectAwaitingDocuments, selectDocumentsLike, PAGE } from './queries.ts'

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
  const { rows } = await selectDocuments(db, organisation, isSupplier, before)
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
  const { rows } = await selectAwaitingDocuments(db, days, today)
  return rows
}

export const fileName = (number: string, ending: 'pdf' | 'json'): string => `${number.replaceAll('/', '-')}.${ending}`

/** Finds invoices and other documents by the beginning of their number. */
export const findDocuments: AnswerTo<typeof pagesSought> = async (db, sought) => {
  const { rows } = await selectDocumentsLike(db, sought)
  return rows.map(({ number, kind, organisation }) => ({
    group: 'Invoices',
    label: number,
    hint: sought.within === null ? `${kind} · ${organisation}` : kind,
    path: '/ledger/invoice',
    search: { number },
  }))
}
