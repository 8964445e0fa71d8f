import type {
  ChangeRequestId,
  OrganisationId,
  TrainingId,
  MachineId,
  UserId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface ChangeRequestTable {
  id: Generated<ChangeRequestId>
  organisation_id: OrganisationId
  kind: 'hours' | 'quota' | 'admin'
  training_id: TrainingId | null
  machine_id: MachineId | null
  minutes: number | null
  email: string | null
  reason: string
  asked_by: UserId
  asked_at: Generated<Date>
  state: Generated<'open' | 'approved' | 'refused' | 'withdrawn'>
  decided_by: string | null
  decided_at: Date | null
  answer: string | null
}

export type ChangeRequestRow = Selectable<ChangeRequestTable>

export interface RequestsTables {
  change_request: ChangeRequestTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends RequestsTables {}
}
