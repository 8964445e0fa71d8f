import type { Place } from '../contract/provider.ts'

export interface MachineMetrics {
  /** Usage per minute, oldest first. Machines unknown to the provider are omitted. */
  processorUsage(
    machines: readonly MeasuredMachine[],
    location: string,
    span: { readonly from: Date; readonly to: Date },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly ProcessorMinute[]>>
}

/** Metrics by the name of the provider. Machines of other providers are not measured. */
export type MetricsOfProviders = Readonly<Record<string, MachineMetrics>>

export interface MeasuredMachine {
  readonly id: string
  readonly place: Place
  readonly name: string
}

export interface ProcessorMinute {
  readonly at: Date
  /** Average over all cores; null: not measured, or not yet available. */
  readonly percent: number | null
}
