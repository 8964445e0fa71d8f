/**
 * The provider's own record of what it billed, to compare ours with. It is read once a day, by nothing else; a
 * provider that offers none has no adapter, and then nothing is compared.
 */
export interface PowerRecord {
  /** Every machine that was ever billed within the stretch, with its billed stretches (whole seconds), cut to it. */
  billedBetween(from: Date, to: Date, signal: AbortSignal): Promise<readonly BilledMachine[]>
}

export interface BilledMachine {
  readonly name: string
  /** The id in our tag; null when it carries none. */
  readonly id: string | null
  readonly seconds: number
}
