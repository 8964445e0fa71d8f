import type { Pool } from 'pg'
import type { Db } from '../../db/schema.ts'

export interface Meters {
  countCall(call: string, status: number, seconds: number): void
  /** Counts an operation of a provider. `outcome` is `ok` or the kind of failure. */
  countProviderCall(provider: string, operation: string, outcome: string, seconds: number): void
  /** Counts a call that admission control refused. The labels are the call's class and the reason. */
  countShed(callClass: string, reason: string): void
  /** Exposes the calls that run and wait behind each gate, and the gate's limit. */
  watchAdmission(read: () => Readonly<Record<string, AdmissionState>>): void
  countDeferred(kind: string): void
  countThrottled(kind: string, seconds: number): void
  watchPool(pool: Pool): void
  /** Exposes gauges that are read when metrics are scraped. One call of `read` returns all gauges. */
  watchState(gauges: Readonly<Record<string, string>>, read: () => Promise<readonly GaugeValue[]>): void
}

interface AdmissionState {
  readonly running: number
  readonly waiting: number
  readonly limit: number
}

export interface GaugeValue {
  readonly gauge: string
  readonly label?: readonly [name: string, value: string]
  readonly value: number
}

/** Gauges of the database state. */
export interface Gauges {
  /** By name, with an optional label after a slash. */
  readonly descriptions: Readonly<Record<string, string>>
  read(db: Db): Promise<readonly GaugeValue[]>
}
