import { sql } from 'kysely'
import type { TaxStatusRequestId } from '@trainyard/platform/contract/words/ids.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { lockOrganisation, organisationByName, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { setTaxStatus, taxStatusOn } from '../tax-status.ts'
import { effectOf } from './effect.ts'
import { addRequest, endRequest, requestInScope, requestsWhere } from './requests.ts'

export const taxStatusHandlers: HandlersOf<'taxStatus'> = {
  async read(db, { actor, query }) {
    const { id, name } = await organisationInScope(db, actor, query.organization)
    const changes = await db
      .selectFrom('tax_status')
      .select(['valid_from as from', 'place', 'gstin', 'decided_by as by', 'reason'])
      .where('organisation_id', '=', id)
      .orderBy('valid_from', 'desc')
      .execute()
    return {
      organization: name,
      current: await taxStatusOn(db, id),
      changes,
      requests: await requestsWhere(db, sql`r.organisation_id = ${id}`, { order: 'newest', most: 50 }),
    }
  },

  async open(db) {
    return { requests: await requestsWhere(db, sql`r.state = 'open'`, { order: 'oldest', most: 500 }) }
  },

  async effect(db, { actor, query: { organization, place, gstin = null, from } }) {
    const { id } = await organisationInScope(db, actor, organization)
    return effectOf(db, id, { place, gstin }, from, actor.role === 'superadmin')
  },

  async request(tx, { actor, body }) {
    const organisation = await organisationInScope(tx, actor, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    await addRequest(tx, actor, organisation, body)
    return { message: 'Request sent. The supplier decides it.' }
  },

  async withdraw(tx, { actor, body }) {
    await endRequest(tx, actor, body.id, 'withdrawn')
    return { message: 'Request withdrawn.' }
  },

  async decide(tx, { actor, body: { id, decision, ...more }, auditChange }) {
    const { organisation } = await requestInScope(tx, actor, id)
    const before = await taxStatusOn(tx, organisation)
    const { request, from } = await endRequest(tx, actor, id, decision, more)
    if (decision === 'rejected') return { message: `Request of ${request.name} rejected.` }
    auditChange({ ...before }, { place: request.place, gstin: request.gstin, from })
    return { message: `Tax status of ${request.name} changes on ${from}.` }
  },

  async change(tx, { actor, body: { organization, ...status }, auditChange }) {
    const { id, name } = await organisationByName(tx, organization)
    await lockOrganisation(tx, id, 'change')
    const before = await taxStatusOn(tx, id)
    await setTaxStatus(tx, { organisation: id, ...status, by: actor.email })
    auditChange({ ...before }, { place: status.place, gstin: status.gstin, from: status.from })
    return { message: `Tax status of ${name} changes on ${status.from}.` }
  },

  async document(tx, { actor, body }) {
    const { type } = await requestInScope(tx, actor, body.id)
    const { document } = await tx
      .selectFrom('tax_status_request')
      .select('document')
      .where('id', '=', body.id as TaxStatusRequestId)
      .executeTakeFirstOrThrow()
    if (document === null) throw notFound('document')
    // The file has a fixed name: the name of the uploaded file is text of a user, which does not belong in a header.
    return { name: `tax-status-request.${type.split('/')[1]}`, type, content: [document] }
  },
}
