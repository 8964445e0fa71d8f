import type { Generated } from 'kysely'
import type { HandReason } from '@trainyard/contract/words/classroom.ts'
import type { MachineId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'

export interface MachineActivityTable {
  machine_id: MachineId
  organisation_id: OrganisationId
  input_at: Date | null
  cpu_percent: number | null
  cpu_at: Date | null
  busy_at: Date | null
  here_at: Date | null
  warned_at: Date | null
  stops_at: Date | null
  /**
   * Bit n is set if the machine was used in the minute that began n minutes before `active_at`. A trigger sets the
   * bits.
   */
  active_minutes: Generated<number>
  active_at: Date | null
}

export interface ActivityStretchTable {
  machine_id: MachineId
  began_at: Date
  ended_at: Date
  organisation_id: OrganisationId
  training_id: TrainingId
  idle: boolean
  paise_per_hour: Paise
}

export interface RaisedHandTable {
  training_id: TrainingId
  organisation_id: OrganisationId
  email: string
  raised_at: Generated<Date>
  reason: HandReason | null
}

export interface AnnouncementTable {
  training_id: TrainingId
  organisation_id: OrganisationId
  text: string
  made_by: string
  made_at: Generated<Date>
  ends_at: Date
}
