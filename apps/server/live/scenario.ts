import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Journal } from './journal.ts'

export interface Scenario {
  readonly name: string
  readonly maxCost: Paise
  readonly limitMs: number
  /** Reason why the scenario cannot run with the current settings; null: the scenario can run. */
  readonly skipReason: string | null
  run(world: ScenarioContext): Promise<void>
}

export interface ScenarioContext {
  readonly signal: AbortSignal
  readonly journal: Journal
  step<T>(name: string, callback: () => Promise<T>): Promise<T>
}

export class ScenarioError extends Error {
  override readonly name = 'LifeError'
}
