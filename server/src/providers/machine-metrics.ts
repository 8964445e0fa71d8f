/** The provider's own measurements of machines. */
export interface MachineMetrics {
  /**
   * How busy each machine's processor was, minute by minute within the span, the oldest first. Machines that the provider
   * does not know are left out. Those named are all in one location.
   */
  processorOf(
    machines: readonly MeasuredPlace[],
    location: string,
    span: { readonly from: Date; readonly to: Date },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly ProcessorMinute[]>>
}

export interface MeasuredPlace {
  readonly id: string
  readonly resourceGroup: string
  readonly name: string
}

export interface ProcessorMinute {
  /** When the minute began. */
  readonly at: Date
  /** Of all its cores together; null: not measured, or not yet. */
  readonly percent: number | null
}
