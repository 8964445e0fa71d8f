import { formatRupees, paise, type Paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import { cleanUp, type FarEnds, nameOf } from './clean-up.ts'
import { CLEAN_UP_HOURS } from './cost.ts'
import type { Journal } from './journal.ts'
import type { Life } from './life.ts'
import { asMarkdown, type Lived, type StepDone } from './report.ts'
import type { Traffic } from './traffic.ts'

/** Parts of `npm run live`. */
export interface Live {
  readonly lives: readonly Life[]
  readonly ends: FarEnds
  readonly journal: Journal
  readonly traffic: Traffic
  readonly pollMs: number
  readonly lag: number
  /** Maximum cost of all scenarios together. */
  readonly costLimit: Paise
  /** Description of the account, for example 'the emulator' or 'Azure subscription 1234...'. */
  readonly account: string
  /** Writes the report and returns its path. */
  keepReport(text: string): string
  readonly trafficFolder: string
}

export interface Console {
  say(text: string): void
  /** Asks a yes-or-no question. */
  ask(question: string): Promise<boolean>
  /** Aborted by Ctrl-C. Created resources are deleted nevertheless. */
  readonly interrupted: AbortSignal
}

const CLEAN_UP_MS = CLEAN_UP_HOURS * 3_600_000

/**
 * Runs the scenarios one after the other on the configured accounts and deletes all resources of each before the next
 * one starts, whatever happens. First deletes resources that a killed earlier run left behind. Returns the exit code: 0
 * if every scenario passed and nothing is left.
 */
export async function runLive(live: Live, console: Console): Promise<number> {
  try {
    return await livedWell(live, console)
  } finally {
    live.journal.close()
  }
}

async function livedWell(live: Live, { say, ask, interrupted }: Console): Promise<number> {
  const { lives, journal, ends, pollMs, lag } = live
  const tidy = (signal = AbortSignal.timeout(CLEAN_UP_MS)) => cleanUp(journal, ends, { signal, pollMs, lag })
  const tidyAfter = () => {
    if (journal.things().length > 0) say('Deleting remaining resources ...\n')
    return tidy()
  }
  const left = journal.things()
  if (left.length > 0) {
    say(
      `An earlier run left these resources behind:\n${left.map(({ thing }) => `  ${nameOf(thing)}\n`).join('')}They are deleted first.\n`,
    )
    const remaining = await tidy(AbortSignal.any([interrupted, AbortSignal.timeout(CLEAN_UP_MS)]))
    for (const sentence of remaining) say(`${sentence}\n`)
    if (remaining.length > 0) return 1
  }
  const possible = lives.filter(({ unused }) => unused === null)
  const cost = paise(possible.reduce((sum, { costAtMost }) => sum + costAtMost, 0))
  say(`On ${live.account}:\n`)
  for (const { name, unused, costAtMost } of lives) {
    say(`  ${name}: ${unused ?? `at most ${formatRupees(rupeesOfPaise(costAtMost))}`}\n`)
  }
  if (cost > live.costLimit) {
    say(
      `That may cost ${formatRupees(rupeesOfPaise(cost))}, more than the limit of ${formatRupees(rupeesOfPaise(live.costLimit))}: nothing was done. Give another limit with --limit RUPEES, or choose scenarios with --only.\n`,
    )
    return 1
  }
  if (possible.length === 0 || !(await ask(`This may cost up to ${formatRupees(rupeesOfPaise(cost))}. Continue?`))) {
    say('Nothing was done.\n')
    return 1
  }
  const startedAt = new Date()
  const lived: Lived[] = []
  let remaining: string[] = []
  try {
    for (const life of possible) {
      if (interrupted.aborted || remaining.length > 0) break
      lived.push(await liveOne(life, live, say, interrupted))
      // A resource that exists until the end of the last scenario would cost more than announced.
      remaining = await tidyAfter()
    }
  } finally {
    if (remaining.length === 0) remaining = await tidyAfter()
  }
  const traffic = live.traffic.write(live.trafficFolder)
  const skipped = lives.flatMap(({ name, unused }) => (unused === null ? [] : [{ name, unused }]))
  const report = live.keepReport(asMarkdown({ account: live.account, startedAt, lived, skipped, remaining, traffic }))
  for (const sentence of remaining) say(`${sentence} The next run tries again.\n`)
  say(`Report: ${report}\n${traffic === null ? '' : `Traffic, scrubbed: ${traffic}\n`}`)
  const well = !interrupted.aborted && remaining.length === 0 && lived.every(({ error }) => error === null)
  return well ? 0 : 1
}

async function liveOne(
  life: Life,
  { journal }: Live,
  say: (text: string) => void,
  interrupted: AbortSignal,
): Promise<Lived> {
  const steps: StepDone[] = []
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(life.limitMs)])
  say(`${life.name}\n`)
  try {
    await life.live({
      signal,
      journal,
      async step(name, work) {
        const began = performance.now()
        const done = await work()
        const seconds = (performance.now() - began) / 1000
        steps.push({ name, seconds })
        say(`  ok  ${seconds.toFixed(1)} s  ${name}\n`)
        return done
      },
    })
    return { name: life.name, steps, error: null }
  } catch (problem) {
    const error = problem instanceof Error ? problem.message : String(problem)
    say(`  failed  ${error}\n`)
    return { name: life.name, steps, error }
  }
}
