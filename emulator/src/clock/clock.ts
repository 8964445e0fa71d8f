import type { Settings } from '#src/record/settings.ts'

export type ClockMode = 'real' | 'stepped'

/**
 * The emulator's one clock. `real` runs with the machine's clock (ahead of it, if it was ever stepped ahead);
 * `stepped` stands still until told. It never goes back, and it goes on where it was after a restart.
 */
export class Clock {
  readonly #settings: Settings
  #mode: ClockMode
  /** stepped: the instant it stands at. real: how far it is ahead of the machine's clock. Milliseconds. */
  #value: number

  constructor(settings: Settings, mode: ClockMode | undefined) {
    this.#settings = settings
    this.#mode = settings.read('clock.mode') === 'stepped' ? 'stepped' : 'real'
    const stored = settings.read('clock.value')
    this.#value = stored === undefined ? 0 : Number(stored)
    if (mode !== undefined && mode !== this.#mode) this.change({ mode })
  }

  get mode(): ClockMode {
    return this.#mode
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#mode === 'stepped' ? this.#value : Date.now() + this.#value
  }

  /** Throws a RangeError when the change would turn the clock back. */
  change(change: { mode?: ClockMode; set?: Date; advanceSeconds?: number }): void {
    const before = this.now()
    const instant = (change.set?.getTime() ?? before) + (change.advanceSeconds ?? 0) * 1000
    if (instant < before) throw new RangeError('The clock does not go back.')
    this.#mode = change.mode ?? this.#mode
    this.#value = this.#mode === 'stepped' ? wholeSecond(instant) : Math.max(0, instant - Date.now())
    if (this.#mode === 'stepped' && this.#value < before) this.#value = wholeSecond(before + 999)
    this.#settings.write('clock.mode', this.#mode)
    this.#settings.write('clock.value', String(this.#value))
  }
}

/** The whole second an instant lies in: what is recorded, and what the Date header says. */
export function wholeSecond(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000
}

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
