import { sql, type RawBuilder } from 'kysely'
import type { StatusRequest } from '../../contract/tax-status.ts'
import type { OrganisationId, TaxStatusRequestId } from '@trainyard/platform/contract/words/ids.ts'
import type { StatusRequestState } from '../../contract/tax-status-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { isCancelled } from '../conditions.ts'

export interface LockedRequest {
  readonly id: TaxStatusRequestId
  readonly organisation: OrganisationId
  readonly name: string
  readonly place: StatusRequest['place']
  readonly gstin: string | null
  readonly from: string
}

export const selectChargedMonths = (db: Db, id: OrganisationId) =>
  sql<{ month: string }>`
    select to_char(month, 'YYYY-MM') as month from tax_document d
    where organisation_id = ${id} and month is not null and not ${isCancelled('d')}`.execute(db)

export const selectRequests = (db: Db, condition: RawBuilder<unknown>, order: string, most: number) =>
  sql<Omit<StatusRequest, 'at'> & { readonly at: Date }>`
    select r.id, o.name as organization, r.place, r.gstin, to_char(r.valid_from, 'YYYY-MM-DD') as "from", r.reason,
      r.document_name as document, r.state, r.asked_by as by, r.asked_at as at, r.decided_by as "decidedBy", r.answer
    from tax_status_request r join organisation o on o.id = r.organisation_id
    where o.removed_at is null and ${condition}
    order by r.asked_at ${order === 'newest' ? sql`desc` : sql`asc`}, r.id limit ${most}`.execute(db)

export const updateRequest = (
  tx: Tx,
  state: Exclude<StatusRequestState, 'open'>,
  email: string,
  answer: string | null,
  id: string,
) =>
  sql<LockedRequest>`
    update tax_status_request r set state = ${state}, decided_by = ${email}, decided_at = portal_now(),
      answer = ${answer}
    from organisation o where r.id = ${id}::uuid and r.state = 'open' and o.id = r.organisation_id
    returning r.id, r.organisation_id as organisation, o.name, r.place, r.gstin,
      to_char(r.valid_from, 'YYYY-MM-DD') as "from"`.execute(tx)
