import type { Settings } from '../record/settings.ts'

export type ClockMode = 'real' | 'stepped'

/** `real` follows the host's clock plus an offset; `stepped` moves only when changed. Never goes back. */
export class Clock {
  readonly #settings: Settings
  #mode: ClockMode
  /** Milliseconds: the current instant in mode `stepped`, the offset ahead of the host's clock in mode `real`. */
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

  now(): number {
    return this.#mode === 'stepped' ? this.#value : Date.now() + this.#value
  }

  change(change: { mode?: ClockMode; set?: Date; advanceSeconds?: number }): void {
    const before = this.now()
    const instant = (change.set?.getTime() ?? before) + (change.advanceSeconds ?? 0) * 1000
    if (instant < before) throw new RangeError('The clock cannot be turned back.')
    this.#mode = change.mode ?? this.#mode
    this.#value = this.#mode === 'stepped' ? wholeSecond(instant) : Math.max(0, instant - Date.now())
    if (this.#mode === 'stepped' && this.#value < before) this.#value = wholeSecond(before + 999)
    this.#settings.write('clock.mode', this.#mode)
    this.#settings.write('clock.value', String(this.#value))
  }
}

/** Rounds down to a whole second, the precision of recorded instants and of the Date header. */
export function wholeSecond(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000
}

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
