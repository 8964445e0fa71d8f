import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  browserTestsThat,
  closingLine,
  fromPlaywright,
  fromVitest,
  namesTriedAgain,
  sum,
  type Counts,
  whatFailed,
} from './counts.ts'

/** `npm test`: the checks, the tests, the pages' weight, the browser tests, and one closing line that sums them up. */
const root = fileURLToPath(new URL('../', import.meta.url))
const results = `${root}test-results`
rmSync(results, { recursive: true, force: true })
mkdirSync(results)

const check = await run('npm', ['run', '--silent', 'check'])
if (check !== 0) process.stdout.write('\nThe checks failed; the tests run all the same.\n')

const vitest = await run('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${results}/vitest.json`,
])
const budget = await run('npm', ['run', '--silent', 'budget', '--workspace', 'web'])
const parts: Counts[] = [
  { passed: 0, failed: (check === 0 ? 0 : 1) + (budget === 0 ? 0 : 1), skipped: 0, again: 0 },
  fromVitest(reportOf('vitest'), vitest),
]

if (hasBrowserTests()) {
  const browser = await run('npm', ['run', 'test', '--workspace', 'e2e', '--', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: `${results}/playwright.json`,
  })
  parts.push(fromPlaywright(reportOf('playwright'), browser))
}

// Last, where the end of a long output is all that one sees.
if (check !== 0) process.stdout.write('\nFailed: npm run check\n')
if (budget !== 0) process.stdout.write('\nFailed: npm run budget -w web\n')
for (const failed of whatFailed(reportOf('vitest'))) process.stdout.write(`\nFailed: ${failed}\n`)
for (const name of browserTestsThat('unexpected', reportOf('playwright'))) process.stdout.write(`\nFailed: ${name}\n`)
const again = [...namesTriedAgain(reportOf('vitest')), ...browserTestsThat('flaky', reportOf('playwright'))]
for (const name of again) process.stdout.write(`Passed only when tried again: ${name}\n`)
const total = sum(parts)
process.stdout.write(`\n${closingLine(total)}\n`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', (error) => {
      process.stderr.write(`${command} could not be started: ${error.message}\n`)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** The report's text, or null when the run ended before it was written. */
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
