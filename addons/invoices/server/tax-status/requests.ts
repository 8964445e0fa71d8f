import { type RawBuilder, sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { StatusRequest, taxStatus as calls } from '../../contract/tax-status.ts'
import type { OrganisationId, TaxStatusRequestId } from '@trainyard/platform/contract/words/ids.ts'
import {
  STATUS_DOCUMENT_BYTES_MAX,
  type StatusDocumentType,
  type StatusRequestState,
  statusProblem,
  WITHDRAWN_DOCUMENT_DAYS,
} from '../../contract/tax-status-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { type OrganisationInScope, lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { setTaxStatus, taxStatusOn } from '../tax-status.ts'
import { selectRequests, updateRequest, type LockedRequest } from './queries.ts'

const SIGNATURES: readonly (readonly [bytes: string, type: StatusDocumentType])[] = [
  ['255044462d', 'application/pdf'],
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
]

/** Adds a request. The caller holds the organisation's lock. @throws Problem conflict, invalid or malformed */
export async function addRequest(
  tx: Tx,
  { email }: Actor,
  { id, name }: OrganisationInScope,
  { place, gstin, from, reason, document, bytes }: BodyOf<typeof calls.request>,
): Promise<void> {
  const problem = statusProblem(place, gstin)
  if (problem !== null) throw new Problem('invalid', problem)
  const current = await taxStatusOn(tx, id, from)
  if (current.place === place && current.gstin === gstin) throw conflict(`${name} already has this tax status.`)
  const content = Buffer.from(bytes, 'base64')
  if (content.length > STATUS_DOCUMENT_BYTES_MAX) {
    throw new Problem('malformed', `bytes must be at most ${STATUS_DOCUMENT_BYTES_MAX / 1024} kB large.`)
  }
  const signature = SIGNATURES.find(([start]) => content.toString('hex', 0, 8).startsWith(start))
  if (signature === undefined) throw new Problem('malformed', 'bytes must be a PDF, PNG or JPEG file.')
  const added = await tx
    .insertInto('tax_status_request')
    .values({
      organisation_id: id,
      place,
      gstin,
      valid_from: from,
      reason,
      document_name: document,
      document_type: signature[1],
      document: content,
      asked_by: email,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) throw conflict(`${name} already has an open request. Withdraw it first.`)
}

/** Lists requests without their documents. */
export async function requestsWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  { order, most }: { readonly order: 'newest' | 'oldest'; readonly most: number },
): Promise<StatusRequest[]> {
  const { rows } = await selectRequests(db, condition, order, most)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/**
 * Ends an open request, and for an approval sets the status.
 * @throws Problem notFound, also for a request of another organisation; conflict if the request is not open
 */
export async function endRequest(
  tx: Tx,
  actor: Actor,
  id: string,
  state: Exclude<StatusRequestState, 'open'>,
  { from, answer }: { readonly from?: string | undefined; readonly answer?: string | undefined } = {},
): Promise<{ readonly request: LockedRequest; readonly from: string }> {
  const { organisation } = await requestInScope(tx, actor, id)
  await lockOrganisation(tx, organisation, 'change')
  const { rows } = await updateRequest(tx, state, actor.email, state === 'rejected' ? (answer ?? null) : null, id)
  const request = rows[0]
  if (request === undefined) throw conflict('This request has already been decided or withdrawn.')
  const first = from ?? request.from
  if (state === 'approved') {
    const { place, gstin } = request
    const reason = `Request of ${first === request.from ? 'the customer' : `the customer, for ${request.from}`}`
    await setTaxStatus(tx, { organisation, place, gstin, from: first, reason, request: request.id, by: actor.email })
  }
  return { request, from: first }
}

/** @throws Problem notFound, also for a request of another organisation */
export async function requestInScope(
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ readonly organisation: OrganisationId; readonly type: StatusDocumentType }> {
  const found = await db
    .selectFrom('tax_status_request as r')
    .innerJoin('organisation', 'organisation.id', 'r.organisation_id')
    .select(['organisation_id as organisation', 'document_type as type'])
    .where('r.id', '=', id as TaxStatusRequestId)
    .where('removed_at', 'is', null)
    .$if(actor.role !== 'superadmin', (query) =>
      query.where('organisation_id', '=', actor.organisation?.id ?? (null as never)),
    )
    .executeTakeFirst()
  if (found === undefined) throw notFound('request')
  return found
}

/** Deletes the documents of requests that were withdrawn long enough ago. Their rows remain. */
export async function deleteWithdrawnDocuments(tx: Tx): Promise<void> {
  await tx
    .updateTable('tax_status_request')
    .set({ document: null })
    .where('state', '=', 'withdrawn')
    .where('document', 'is not', null)
    .where('decided_at', '<', sql<Date>`portal_now() - make_interval(days => ${WITHDRAWN_DOCUMENT_DAYS})`)
    .execute()
}
