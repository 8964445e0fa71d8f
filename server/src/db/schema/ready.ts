import type { Generated } from 'kysely'
import type { ClassSessionId, MachineId, OrderId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId } from './columns.ts'

export interface ReadyByTable {
  id: DefaultId<string>
  training_id: TrainingId
  organisation_id: OrganisationId
  date: string
  time: string
  time_zone: string
  ready_at: Date
  /** E-mail address of the user who planned the time. */
  asked_by: string
  created_at: Generated<Date>
  started_at: Date | null
  missed: Generated<boolean>
  removed_at: Date | null
  /** The order whose machines must be ready; null: all machines of the training. */
  order_id: OrderId | null
  class_session_id: ClassSessionId | null
}

export interface ReadyMachineTable {
  ready_by_id: string
  organisation_id: OrganisationId
  machine_id: MachineId
  refused: string | null
}
