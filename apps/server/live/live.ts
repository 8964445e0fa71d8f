import { formatRupees, paise, type Paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { deleteLeftResources, type LiveProviders, nameOf } from './clean-up.ts'
import { CLEAN_UP_HOURS } from './cost.ts'
import type { Journal } from './journal.ts'
import type { Scenario } from './scenario.ts'
import { asMarkdown, type ScenarioResult, type StepResult } from './report.ts'
import type { Traffic } from './traffic.ts'

export interface LiveRun {
  readonly scenarios: readonly Scenario[]
  readonly providers: LiveProviders
  readonly journal: Journal
  readonly traffic: Traffic
  readonly pollMs: number
  readonly lag: number
  readonly costLimit: Paise
  readonly cloudAccount: string
  saveReport(text: string): string
  readonly trafficFolder: string
}

export interface Console {
  logMessage(text: string): void
  ask(question: string): Promise<boolean>
  /** Aborted by Ctrl-C. Created resources are deleted nevertheless. */
  readonly interrupted: AbortSignal
}

const CLEAN_UP_MS = CLEAN_UP_HOURS * 3_600_000

/**
 * Deletes all resources of each scenario before the next scenario starts, and the resources of an earlier run that was killed.
 */
export async function runLive(live: LiveRun, console: Console): Promise<number> {
  try {
    return await runAll(live, console)
  } finally {
    live.journal.close()
  }
}

async function runAll(live: LiveRun, { logMessage, ask, interrupted }: Console): Promise<number> {
  const { scenarios, journal, providers, pollMs, lag } = live
  const cleanUpAll = (signal = AbortSignal.timeout(CLEAN_UP_MS)) =>
    deleteLeftResources(journal, providers, { signal, pollMs, lag })
  const cleanUpRemaining = () => {
    if (journal.resources().length > 0) logMessage('Deleting remaining resources ...\n')
    return cleanUpAll()
  }
  const leftResources = journal.resources()
  if (leftResources.length > 0) {
    logMessage(
      `An earlier run left these resources behind:\n${leftResources.map(({ thing }) => `  ${nameOf(thing)}\n`).join('')}They are deleted first.\n`,
    )
    const remaining = await cleanUpAll(AbortSignal.any([interrupted, AbortSignal.timeout(CLEAN_UP_MS)]))
    for (const sentence of remaining) logMessage(`${sentence}\n`)
    if (remaining.length > 0) return 1
  }
  const possible = scenarios.filter(({ skipReason }) => skipReason === null)
  const cost = paise(possible.reduce((sum, { maxCost }) => sum + maxCost, 0))
  logMessage(`On ${live.cloudAccount}:\n`)
  for (const { name, skipReason, maxCost } of scenarios) {
    logMessage(`  ${name}: ${skipReason ?? `at most ${formatRupees(rupeesOfPaise(maxCost))}`}\n`)
  }
  if (cost > live.costLimit) {
    logMessage(
      `That may cost ${formatRupees(rupeesOfPaise(cost))}, more than the limit of ${formatRupees(rupeesOfPaise(live.costLimit))}: nothing was done. Give another limit with --limit RUPEES, or choose scenarios with --only.\n`,
    )
    return 1
  }
  if (possible.length === 0 || !(await ask(`This may cost up to ${formatRupees(rupeesOfPaise(cost))}. Continue?`))) {
    logMessage('Nothing was done.\n')
    return 1
  }
  const startedAt = new Date()
  const results: ScenarioResult[] = []
  let remaining: string[] = []
  try {
    for (const scenario of possible) {
      if (interrupted.aborted || remaining.length > 0) break
      results.push(await runScenario(scenario, live, logMessage, interrupted))
      remaining = await cleanUpRemaining()
    }
  } finally {
    if (remaining.length === 0) remaining = await cleanUpRemaining()
  }
  const traffic = live.traffic.write(live.trafficFolder)
  const skipped = scenarios.flatMap(({ name, skipReason }) => (skipReason === null ? [] : [{ name, skipReason }]))
  const report = live.saveReport(
    asMarkdown({ cloudAccount: live.cloudAccount, startedAt, results, skipped, remaining, traffic }),
  )
  for (const sentence of remaining) logMessage(`${sentence} The next run tries again.\n`)
  logMessage(`Report: ${report}\n${traffic === null ? '' : `Traffic, scrubbed: ${traffic}\n`}`)
  const isSuccessful = !interrupted.aborted && remaining.length === 0 && results.every(({ error }) => error === null)
  return isSuccessful ? 0 : 1
}

async function runScenario(
  scenario: Scenario,
  { journal }: LiveRun,
  logMessage: (text: string) => void,
  interrupted: AbortSignal,
): Promise<ScenarioResult> {
  const steps: StepResult[] = []
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(scenario.limitMs)])
  logMessage(`${scenario.name}\n`)
  try {
    await scenario.run({
      signal,
      journal,
      async step(name, work) {
        const began = performance.now()
        const result = await work()
        const seconds = (performance.now() - began) / 1000
        steps.push({ name, seconds })
        logMessage(`  ok  ${seconds.toFixed(1)} s  ${name}\n`)
        return result
      },
    })
    return { name: scenario.name, steps, error: null }
  } catch (problem) {
    const error = problem instanceof Error ? problem.message : String(problem)
    logMessage(`  failed  ${error}\n`)
    return { name: scenario.name, steps, error }
  }
}
