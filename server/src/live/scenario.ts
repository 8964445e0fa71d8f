import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Journal } from './journal.ts'

/** An end-to-end scenario at one provider that creates and deletes its own resources. */
export interface Scenario {
  readonly name: string
  /** Maximum cost, if it runs until its time limit. */
  readonly maxCost: Paise
  readonly limitMs: number
  /** Reason why the scenario cannot run with the current settings; null: it can. */
  readonly skipReason: string | null
  run(world: ScenarioContext): Promise<void>
}

export interface ScenarioContext {
  /** Aborted at the time limit or by the user. */
  readonly signal: AbortSignal
  readonly journal: Journal
  step<T>(name: string, work: () => Promise<T>): Promise<T>
}

export class ScenarioError extends Error {
  override readonly name = 'LifeError'
}
