export interface MachineMetrics {
  /** Usage per minute, oldest first. Machines unknown to the provider are omitted. */
  processorUsage(
    machines: readonly MeasuredMachine[],
    location: string,
    span: { readonly from: Date; readonly to: Date },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly ProcessorMinute[]>>
}

export interface MeasuredMachine {
  readonly id: string
  readonly resourceGroup: string
  readonly name: string
}

export interface ProcessorMinute {
  readonly at: Date
  /** Average over all cores; null: not measured, or not yet available. */
  readonly percent: number | null
}
