import { z } from 'zod'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Number of passed tests that passed on their retry. CI retries each test once and reports it. */
  readonly again: number
}

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().nullish(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          tags: z.array(z.string()).optional(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

const playwrightSuite = z.object({
  specs: z.array(z.object({ title: z.string(), file: z.string(), tests: z.array(z.object({ status: z.string() })) })),
  get suites() {
    return z.array(playwrightSuite).optional()
  },
})
type PlaywrightSuite = z.infer<typeof playwrightSuite>

const playwrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  suites: z.array(playwrightSuite),
  errors: z.array(z.object({ message: z.string().optional(), stack: z.string().optional() })).optional(),
})

/**
 * @param isChosen whether a test with these tags belongs to the run. The others are skipped because another command runs
 *   them, and are not counted.
 */
export function fromVitest(
  report: string | null,
  code: number,
  isChosen: (tags: readonly string[]) => boolean = () => true,
): Counts {
  if (report === null) return nothingRan
  const read = vitestReport.parse(JSON.parse(report))
  const left = read.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags = [] }) => status === 'skipped' && !isChosen(tags)).length
  return honest(
    {
      passed: read.numPassedTests,
      failed: read.numFailedTests,
      skipped: read.numPendingTests + read.numTodoTests - left,
      again: triedAgain(read).length,
    },
    code,
  )
}

export function namesTriedAgain(report: string | null): string[] {
  return report === null ? [] : triedAgain(vitestReport.parse(JSON.parse(report)))
}

export function browserTestsThat(ended: 'flaky' | 'unexpected', report: string | null): string[] {
  if (report === null) return []
  return playwrightReport.parse(JSON.parse(report)).suites.flatMap((suite) => namesIn(suite, ended))
}

const namesIn = ({ specs, suites = [] }: PlaywrightSuite, ended: string): string[] => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === ended))
    .map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap((suite) => namesIn(suite, ended)),
]

const triedAgain = ({ testResults }: z.infer<typeof vitestReport>): string[] =>
  testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, failureMessages }) => status === 'passed' && (failureMessages ?? []).length > 0)
    .map(({ fullName }) => fullName)

/** Returns a paragraph for each error outside all tests. These errors fail the run although each test passed. */
export function failedOutside(outside: string | null, report: string | null): string[] {
  const inVitest = outside === null ? [] : z.array(z.string()).parse(JSON.parse(outside))
  const errors = report === null ? [] : (playwrightReport.parse(JSON.parse(report)).errors ?? [])
  return [...inVitest, ...errors.map(({ message, stack }) => stack ?? message ?? 'an error without a message')]
}

export function whatFailed(report: string | null): string[] {
  if (report === null) return ['vitest wrote no report']
  return vitestReport.parse(JSON.parse(report)).testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [`${name}\n${message ?? ''}`] : []
    return failed.map(({ fullName, failureMessages }) =>
      [`${name}: ${fullName}`, ...(failureMessages ?? [])].join('\n'),
    )
  })
}

export function fromPlaywright(report: string | null, code: number): Counts {
  if (report === null) return nothingRan
  const { stats } = playwrightReport.parse(JSON.parse(report))
  return honest(
    {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
      again: stats.flaky,
    },
    code,
  )
}

export function sum(parts: readonly Counts[]): Counts {
  return parts.reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    again: a.again + b.again,
  }))
}

export function closingLine({ passed, failed, skipped, again }: Counts): string {
  const notes = [skipped > 0 && `${skipped} skipped`, again > 0 && `${again} passed only when tried again`]
  return [`${passed} passed`, `${failed} failed`, ...notes.filter(Boolean)].join(', ')
}

const nothingRan: Counts = { passed: 0, failed: 1, skipped: 0, again: 0 }

/** Counts a run that failed as a whole (a file that does not load, a broken setup) as a failure. */
function honest(counts: Counts, code: number): Counts {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}
