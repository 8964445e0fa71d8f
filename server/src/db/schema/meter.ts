import type { Generated } from 'kysely'
import type { MachineId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { PriceKind } from '@trainyard/contract/words/price.ts'
import type { RunCause } from '@trainyard/contract/words/run.ts'
import type { Immutable, ReadOnly } from './columns.ts'

export interface RunTable {
  id: ReadOnly<number>
  machine_id: MachineId
  organisation_id: OrganisationId
  started_at: Date
  stopped_at: Date | null
  paise_per_hour: Paise
  hidden_at: Date | null
  opened_by: Generated<RunCause>
  /** Start time that the provider reported, before it was clamped to the time between the previous run and now. */
  opened_told_at: Date | null
  closed_by: RunCause | null
  /** End time that the provider reported, before it was clamped to the time between the start and now. */
  closed_told_at: Date | null
}

export interface CustomerPriceTable {
  organisation_id: Immutable<OrganisationId>
  kind: Immutable<PriceKind>
  item: Immutable<string>
  /** YYYY-MM-DD, in the supplier's zone. */
  valid_from: Immutable<string>
  /** null: the general price applies again. */
  paise_per_hour: Paise | null
  decided_by: string
  decided_at: Generated<Date>
}

/** Times at which an organisation's prices change. A row is deleted once the machines have the new prices. */
export interface PriceChangeTable {
  organisation_id: OrganisationId
  at: Date
}

/** Sums of the ended runs of a machine. Triggers maintain the sums. */
export interface RunTotalTable {
  machine_id: ReadOnly<MachineId>
  organisation_id: ReadOnly<OrganisationId>
  runs: ReadOnly<number>
  seconds: ReadOnly<number>
  /** Sum of the seconds of each run times its price per hour. */
  paise_seconds: ReadOnly<string>
}

/** Totals of a day in the zone of the installation. */
export interface DayTotalTable {
  day: string
  machines: number
  amount_paise: number
}
