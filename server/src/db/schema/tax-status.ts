import type { Generated } from 'kysely'
import type { OrganisationId, TaxStatusRequestId } from '@trainyard/contract/words/ids.ts'
import type { CustomerPlace } from '@trainyard/contract/words/tax-document.ts'
import type { StatusDocumentType, StatusRequestState } from '@trainyard/contract/words/tax-status.ts'
import type { DefaultId, Immutable } from './columns.ts'

export interface TaxStatusTable {
  organisation_id: OrganisationId
  /** YYYY-MM-DD. */
  valid_from: string
  place: CustomerPlace
  gstin: string | null
  reason: string
  request_id: TaxStatusRequestId | null
  decided_by: string
  decided_at: Generated<Date>
}

export interface TaxStatusRequestTable {
  id: DefaultId<TaxStatusRequestId>
  organisation_id: Immutable<OrganisationId>
  place: Immutable<CustomerPlace>
  gstin: Immutable<string | null>
  /** YYYY-MM-DD. */
  valid_from: Immutable<string>
  reason: Immutable<string>
  document_name: Immutable<string>
  document_type: Immutable<StatusDocumentType>
  /** null once the document of a withdrawn request is deleted. */
  document: Buffer | null
  /** E-mail address of the user who made the request. */
  asked_by: Immutable<string>
  asked_at: Generated<Date>
  state: Generated<StatusRequestState>
  decided_by: string | null
  decided_at: Date | null
  /** Reason of a rejection. */
  answer: string | null
}
