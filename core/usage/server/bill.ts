import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'

export interface Run {
  readonly start: Date
  readonly stop: Date | null
  readonly paisePerHour: Paise
}

export function secondsOf(runs: readonly Run[], now: Date): number {
  return runs.reduce((sum, run) => sum + secondsOfRun(run, now), 0)
}

/** Returns the amount, rounded half up to the paisa once at the end. */
export function amountOf(runs: readonly Run[], now: Date): Paise {
  const paiseSeconds = runs.reduce((sum, run) => sum + BigInt(secondsOfRun(run, now)) * BigInt(run.paisePerHour), 0n)
  return paise(Number((paiseSeconds * 2n + 3600n) / 7200n))
}

export function secondsOfRun({ start, stop }: Run, now: Date): number {
  const end = stop ?? new Date(Math.floor(now.getTime() / 1000) * 1000)
  return Math.max(0, (end.getTime() - start.getTime()) / 1000)
}
