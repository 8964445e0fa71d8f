import type { MachineId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'
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
  active_minutes: Generated<number>
  active_at: Date | null
}

export type MachineActivityRow = Selectable<MachineActivityTable>

export interface ActivityStretchTable {
  machine_id: MachineId
  began_at: Date
  ended_at: Date
  organisation_id: OrganisationId
  training_id: TrainingId
  idle: boolean
  paise_per_hour: Paise
}

export type ActivityStretchRow = Selectable<ActivityStretchTable>

export interface RaisedHandTable {
  training_id: TrainingId
  email: string
  organisation_id: OrganisationId
  raised_at: Generated<Date>
  reason: 'stuck' | 'question' | 'slow' | null
}

export type RaisedHandRow = Selectable<RaisedHandTable>

export interface AnnouncementTable {
  training_id: TrainingId
  organisation_id: OrganisationId
  text: string
  made_by: string
  made_at: Generated<Date>
  ends_at: Date
}

export type AnnouncementRow = Selectable<AnnouncementTable>

export interface ClassroomTables {
  machine_activity: MachineActivityTable
  activity_stretch: ActivityStretchTable
  raised_hand: RaisedHandTable
  announcement: AnnouncementTable
}
