/** The provider's measurements of machines. */
export interface MachineMetrics {
  /**
   * Returns each machine's processor usage per minute within the span, oldest first. All machines must be in the given
   * location. Machines unknown to the provider are omitted.
   */
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
  /** Start of the minute. */
  readonly at: Date
  /** Average over all cores; null: not measured, or not yet available. */
  readonly percent: number | null
}
