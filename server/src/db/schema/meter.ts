import type { Generated } from 'kysely'
import type { MachineId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { RunCause } from '@trainyard/contract/words/run.ts'
import type { ReadOnly } from './columns.ts'

export interface RunTable {
  id: ReadOnly<number>
  machine_id: MachineId
  organisation_id: OrganisationId
  started_at: Date
  stopped_at: Date | null
  paise_per_hour: Paise
  hidden_at: Date | null
  opened_by: Generated<RunCause>
  opened_told_at: Date | null
  closed_by: RunCause | null
  closed_told_at: Date | null
}

export interface ReconciliationTable {
  day: string
  compared_at: Date
  machines: number
  seconds_here: number
  seconds_there: number
}

/** The use of a day that is over, in the portal's own zone. */
export interface DayTotalTable {
  day: string
  machines: number
  amount_paise: number
}

export interface ReconciliationDifferenceTable {
  day: string
  machine_name: string
  machine_id: MachineId | null
  seconds_here: number
  seconds_there: number
}
