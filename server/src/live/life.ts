import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Journal } from './journal.ts'

/** A life at one far end, from nothing to nothing. */
export interface Life {
  readonly name: string
  /** The most that it can cost, ended at its time limit. */
  readonly costAtMost: Paise
  /** Milliseconds after which it is called off. */
  readonly limitMs: number
  /** The sentence why it can't be lived by these settings; null: it can. */
  readonly unused: string | null
  live(world: World): Promise<void>
}

export interface World {
  /** Ends when the life's time is up, or somebody wants it to. */
  readonly signal: AbortSignal
  readonly journal: Journal
  /** Does one step of the life, and has it stand in the report. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** A life that went otherwise than it should. The message says how. */
export class LifeError extends Error {
  override readonly name = 'LifeError'
}
