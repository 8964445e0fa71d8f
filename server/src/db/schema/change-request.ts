import type { Generated } from 'kysely'
import type { ChangeRequestKind, ChangeRequestState } from '@trainyard/contract/words/change-request.ts'
import type { ChangeRequestId, MachineId, OrganisationId, TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId, Immutable } from './columns.ts'

export interface ChangeRequestTable {
  id: DefaultId<ChangeRequestId>
  organisation_id: Immutable<OrganisationId>
  kind: Immutable<ChangeRequestKind>
  training_id: Immutable<TrainingId | null>
  machine_id: Immutable<MachineId | null>
  minutes: Immutable<number | null>
  /** Address of the requested admin. */
  email: Immutable<string | null>
  reason: Immutable<string>
  /** User who made the request. */
  asked_by: Immutable<UserId>
  asked_at: Generated<Date>
  state: Generated<ChangeRequestState>
  decided_by: string | null
  decided_at: Date | null
  /** Reason for a refusal. */
  answer: string | null
}
