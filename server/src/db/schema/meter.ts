import type { Generated } from 'kysely'
import type { MachineId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { RunCause } from '@trainyard/contract/words/run.ts'
import type { ReadOnly } from './columns.ts'

interface RunColumns {
  machine_id: MachineId
  organisation_id: OrganisationId
  started_at: Date
  paise_per_hour: Paise
  hidden_at: Date | null
  opened_by: Generated<RunCause>
  opened_told_at: Date | null
  closed_by: RunCause | null
  closed_told_at: Date | null
}

export interface RunTable extends RunColumns {
  id: ReadOnly<number>
  stopped_at: Date | null
}

export interface RunArchiveTable extends RunColumns {
  id: number
  stopped_at: Date
}

/** In the zone of the installation. */
export interface DayTotalTable {
  day: string
  machines: number
  amount_paise: number
}
