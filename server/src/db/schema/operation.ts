import type { Generated } from 'kysely'
import type { MachineId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { OperationKind } from '@trainyard/contract/words/operation.ts'
import type { DefaultId } from './columns.ts'

export interface OperationTable {
  id: DefaultId<string>
  machine_id: MachineId
  organisation_id: OrganisationId
  kind: OperationKind
  vm_size: string
  location: string
  asked_at: Generated<Date>
  /** Time until which it could be undone; sent afterwards. */
  held_until: Date | null
  sent_at: Date | null
  accepted_at: Date | null
  ended_at: Date | null
  ready_at: Date | null
  closed_at: Date | null
  reason: string | null
}
