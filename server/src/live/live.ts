import { formatRupees, paise, type Paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import { cleanUp, type FarEnds, nameOf } from './clean-up.ts'
import { CLEAN_UP_HOURS } from './cost.ts'
import type { Journal } from './journal.ts'
import type { Life } from './life.ts'
import { asMarkdown, type Lived, type StepDone } from './report.ts'
import type { Traffic } from './traffic.ts'

/** All that `npm run live` works with. */
export interface Live {
  readonly lives: readonly Life[]
  readonly ends: FarEnds
  readonly journal: Journal
  readonly traffic: Traffic
  readonly pollMs: number
  readonly lag: number
  /** All lives together may cost no more. */
  readonly costLimit: Paise
  /** Where the far ends are, for people: 'the emulator', 'subscription 1234...'. */
  readonly account: string
  /** Writes the report and answers its path. */
  keepReport(text: string): string
  readonly trafficFolder: string
}

export interface Console {
  say(text: string): void
  /** Asks a question that is answered with yes or no. */
  ask(question: string): Promise<boolean>
  /** Aborted by Ctrl-C: what was made is done away with all the same. */
  readonly interrupted: AbortSignal
}

const CLEAN_UP_MS = CLEAN_UP_HOURS * 3_600_000

/**
 * Lives each life in turn on the account that the settings name, and does away with all that it made, whatever
 * happened, before the next one begins; and first with what an earlier run that was killed left behind. Returns the exit code: 0 when each life
 * went as it should and nothing is left.
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
    if (journal.things().length > 0) say('Deleting what is left ...\n')
    return tidy()
  }
  const left = journal.things()
  if (left.length > 0) {
    say(
      `An earlier run left behind:\n${left.map(({ thing }) => `  ${nameOf(thing)}\n`).join('')}It is deleted first.\n`,
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
      `That may cost ${formatRupees(rupeesOfPaise(cost))}, more than the limit of ${formatRupees(rupeesOfPaise(live.costLimit))}: nothing was done. Give another limit with --limit RUPEES, or choose lives with --only.\n`,
    )
    return 1
  }
  if (possible.length === 0 || !(await ask(`This may cost up to ${formatRupees(rupeesOfPaise(cost))}. Go on?`))) {
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
      // A thing that stood until the last life was over would cost more than was told.
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
