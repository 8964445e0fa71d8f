import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  browserTestsThat,
  closingLine,
  failedOutside,
  fromPlaywright,
  fromVitest,
  namesTriedAgain,
  sum,
  type Counts,
  whatFailed,
} from './counts.ts'
import { descendantsOf } from './descendants.ts'

/**
 * `npm test`: runs the type checks, the tests, the bundle size budget and the browser tests, and prints one closing line.
 * `npm run test:full`: runs the linters, the tests of details and rare paths, which are tagged `full`, and the short
 * storm tests.
 */
const isFull = process.argv.includes('full')
const HAS_STORM = /tags: .*\['storm'\]/
const root = fileURLToPath(new URL('../', import.meta.url))
const results = `${root}test-results`
rmSync(results, { recursive: true, force: true })
mkdirSync(results)

const running = new Set<ChildProcess>()
let ending = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void endAll())

// The type checker and the linter are Go programs. A higher GOGC trades memory for time.
const checks = isFull ? 'lint' : 'compile'
const checking = run('npm', ['run', '--silent', checks], { env: { GOGC: process.env['GOGC'] ?? '400' } })
// Build once, before the browser tests: otherwise each test portal builds the web app itself.
const build = await run('npm', ['run', '--silent', 'build'], { shownAfter: checking.ended }).ended
const budgetCheck = isFull
  ? { ended: Promise.resolve(0) }
  : run('npm', ['run', '--silent', 'budget', '--workspace', 'apps/web'], { shownAfter: checking.ended })
const [check, budget] = await Promise.all([checking.ended, budgetCheck.ended])
if (check !== 0) process.stdout.write('\nThe checks failed; the tests run all the same.\n')

// In parallel, the suites starve each other's processes, and tests reach their time limits.
// Vitest would import the other files too, and never stop the portals that these start.
const vitest = await runVitest('vitest', [
  `--tags-filter=${isFull ? 'full && !storm' : '!full && !storm'}`,
  ...testFiles((text) =>
    isFull ? /@module-tag full|tags: \['full'\]/.test(text) && !HAS_STORM.test(text) : !/@module-tag full/.test(text),
  ),
])
// A short storm test needs the tests before it in its file, so these files run as a whole.
const storm = isFull
  ? await runVitest(
      'storm',
      testFiles((text) => HAS_STORM.test(text)),
    )
  : 0
const browserTests = hasBrowserTests()
  ? run('npm', ['run', isFull ? 'test:full' : 'test', '--workspace', 'e2e', '--', '--reporter=list,json'], {
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: `${results}/playwright.json` },
    })
  : null
const browser = browserTests === null ? null : await browserTests.ended
const parts: Counts[] = [
  { passed: 0, failed: [check, build, budget].filter((code) => code !== 0).length, skipped: 0, again: 0 },
  fromVitest(reportOf('vitest'), vitest, (tags) => tags.includes('full') === isFull && !tags.includes('storm')),
  ...(isFull ? [fromVitest(reportOf('storm'), storm)] : []),
]
if (browser !== null) parts.push(fromPlaywright(reportOf('playwright'), browser))

const failedInBrowser = browserTestsThat('unexpected', reportOf('playwright'))

if (check !== 0) process.stdout.write(`\nFailed: npm run ${checks}\n`)
if (build !== 0) process.stdout.write('\nFailed: npm run build\n')
if (budget !== 0) process.stdout.write('\nFailed: npm run budget -w apps/web\n')
for (const failed of [...whatFailed(reportOf('vitest')), ...(isFull ? whatFailed(reportOf('storm')) : [])])
  process.stdout.write(`\nFailed: ${failed}\n`)
for (const name of failedInBrowser) process.stdout.write(`\nFailed: ${name}\n`)
for (const line of [
  ...failedOutside(reportOf('outside-vitest'), reportOf('playwright')),
  ...failedOutside(reportOf('outside-storm'), null),
])
  process.stdout.write(`\nFailed outside all tests: ${line}\n`)
for (const [name, code] of [
  ['vitest', vitest],
  ['storm', storm],
] as const)
  if (code !== 0 && whatFailed(reportOf(name)).length === 0)
    process.stdout.write(`\nFailed: vitest ended with code ${code}, though no test failed\n`)
if (browser !== null && browser !== 0 && failedInBrowser.length === 0)
  process.stdout.write(`\nFailed: the browser tests ended with code ${browser}, though no test failed\n`)
const again = [
  ...namesTriedAgain(reportOf('vitest')),
  ...namesTriedAgain(reportOf('storm')),
  ...browserTestsThat('flaky', reportOf('playwright')),
]
for (const name of again) process.stdout.write(`Passed only when tried again: ${name}\n`)
const total = sum(parts)
process.stdout.write(`\n${closingLine(total)}\n`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

function runVitest(report: string, args: readonly string[]): Promise<number> {
  return run(
    'vitest',
    [
      'run',
      ...args,
      '--reporter=default',
      '--reporter=json',
      '--reporter=./scripts/outside.ts',
      `--outputFile.json=${results}/${report}.json`,
    ],
    { env: { ERRORS_OUTSIDE_TESTS: `${results}/outside-${report}.json` } },
  ).ended
}

function testFiles(isWanted: (text: string) => boolean): string[] {
  return globSync('{apps,platform,core,addons,scripts}/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /node_modules|\.storm\.test\.ts$/.test(path),
  }).filter((file) => isWanted(readFileSync(`${root}${file}`, 'utf8')))
}

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<number>
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Output is buffered until this promise settles, because the interleaved output of two runs is unreadable. */
  readonly shownAfter?: Promise<unknown>
}

function run(command: string, args: readonly string[], { env = {}, shownAfter }: RunOptions = {}): Run {
  const stdout = shownAfter === undefined ? 'inherit' : 'pipe'
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['inherit', stdout, stdout],
    env: { ...process.env, ...env },
  })
  running.add(child)
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${command} could not be started: ${error.message}\n`)
      resolve(1)
    })
    child.on('close', (code) => {
      running.delete(child)
      if (!ending) resolve(code ?? 1)
    })
  })
  for (const stream of [child.stdout, child.stderr]) {
    const chunks: Buffer[] = []
    let handleChunk = (chunk: Buffer): unknown => chunks.push(chunk)
    stream?.on('data', (chunk: Buffer) => handleChunk(chunk))
    void shownAfter?.then(() => {
      for (const chunk of chunks) process.stdout.write(chunk)
      handleChunk = (chunk) => process.stdout.write(chunk)
    })
  }
  return { child, ended }
}

/** Ends all started processes and their descendants. A signal sent to this process alone would leave them running. */
async function endAll(): Promise<void> {
  if (ending) return
  ending = true
  const closed = [...running].map((child) => once(child, 'close'))
  // Vitest leaves its child processes behind when it is terminated.
  for (const pid of descendantsOf(process.pid)) {
    try {
      process.kill(pid, 'SIGTERM')
    } catch {
      // The process has already exited.
    }
  }
  await Promise.all(closed)
  process.exit(1)
}

function reportOf(name: string): string | null {
  try {
    return readFileSync(`${results}/${name}.json`, 'utf8')
  } catch {
    return null
  }
}

function hasBrowserTests(): boolean {
  const e2e = JSON.parse(readFileSync(`${root}e2e/package.json`, 'utf8')) as { scripts?: { test?: string } }
  return e2e.scripts?.test !== undefined
}
