import type { GeneratedAlways, Generated, Selectable } from 'kysely'
import type { MachineId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { RunCause } from '@trainyard/usage/contract/run.ts'

export interface RunTable {
  id: GeneratedAlways<number>
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

export type RunRow = Selectable<RunTable>

export interface RunTotalTable {
  machine_id: MachineId
  organisation_id: OrganisationId
  runs: number
  seconds: number
  paise_seconds: string
}

export type RunTotalRow = Selectable<RunTotalTable>

export interface DayTotalTable {
  day: string
  machines: number
  amount_paise: Paise
}

export type DayTotalRow = Selectable<DayTotalTable>

export interface UsageTables {
  run: RunTable
  run_total: RunTotalTable
  day_total: DayTotalTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends UsageTables {}
}
