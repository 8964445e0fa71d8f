import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The end of a run of tests: `failed` names the file of the first failure, `late` that they did not end in time. */
export type Outcome =
  | { readonly end: 'passed' }
  | { readonly end: 'late' }
  /** `timedOut`: no expectation was broken, only a time limit of a test. */
  | { readonly end: 'failed'; readonly by: string; readonly timedOut: boolean }

/** A copy of the sources in which one mutant at a time stands. */
export interface Workplace {
  readonly folder: string
  /** Puts a text in the place of a source file's. */
  write(file: string, source: string): void
  /** Runs the tests there, one file after the other, until one fails. Throws when vitest itself fails, twice. */
  judge(tests: readonly string[], limitMs: number): Promise<Outcome>
  remove(): void
}

/** @param cluster superuser's connection string of a cluster with the migrated template */
export function makeWorkplace(root: string, cluster: string): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-mutants-'))
  for (const file of trackedFiles(root)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  if (existsSync(join(root, 'web/dist'))) symlinkSync(join(root, 'web/dist'), join(folder, 'web/dist'))
  linkModules(root, folder)
  const running: { pid?: number | undefined } = {}
  const place: Workplace = {
    folder,
    write: (file, source) => writeFileSync(join(folder, file), source),
    async judge(tests, limitMs) {
      const all = {
        ...officialDefinitions(root),
        MUTANT_CLUSTER: cluster,
        MUTANT_TESTS: tests.join(' '),
        // Sources are compiled once for all runs: a third of a short run's work.
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
      }
      const outcome = (await runTests(folder, limitMs, all, running)) ?? (await runTests(folder, limitMs, all, running))
      if (outcome === null) throw new Error(`vitest ended without having judged ${tests.join(' ')}.`)
      return outcome
    },
    remove() {
      end(running.pid)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return place
}

/** Returns the paths of all files that the repository holds, but its pictures. */
export const trackedFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((file) => file !== '' && !file.startsWith('docs/screens/') && existsSync(join(root, file)))

/** Our own packages must be found in the copy, all others where they are. */
function linkModules(root: string, folder: string): void {
  const from = join(root, 'node_modules')
  const to = join(folder, 'node_modules')
  mkdirSync(join(to, '@trainyard'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@trainyard') symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, '@trainyard'))) {
    symlinkSync(join(folder, name), join(to, '@trainyard', name))
    // What a package of ours has in another version than the others stands in its own folder.
    const own = join(root, name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(folder, name, 'node_modules'))
  }
}

/** Null: there was no failed test and no failed file, and yet vitest was not content. */
function runTests(
  cwd: string,
  limitMs: number,
  env: Readonly<Record<string, string>>,
  running: { pid?: number | undefined },
): Promise<Outcome | null> {
  const report = join(cwd, 'mutant.json')
  rmSync(report, { force: true })
  const config = 'scripts/mutants/vitest.config.ts'
  const args = ['run', '--config', config, '--bail=1', '--reporter=json', `--outputFile=${report}`]
  return new Promise((resolve) => {
    const child = spawn('vitest', args, {
      cwd,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, CI: '', STORM: '', ...env },
    })
    running.pid = child.pid
    const late = setTimeout(() => {
      end(child.pid)
      resolve({ end: 'late' })
    }, limitMs)
    child.on('exit', (code) => {
      clearTimeout(late)
      end(child.pid)
      delete running.pid
      resolve(code === 0 ? { end: 'passed' } : failureIn(report, cwd))
    })
  })
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages?: readonly string[] }[]
  }[]
}

function failureIn(report: string, cwd: string): Outcome | null {
  if (!existsSync(report)) return null
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const file = testResults.find(({ status }) => status === 'failed')
  if (file === undefined) return null
  const messages = file.assertionResults.flatMap(({ failureMessages }) => failureMessages ?? [])
  const timedOut = messages.length > 0 && messages.every((each) => /timed out in \d+ms/.test(each))
  return { end: 'failed', by: file.name.slice(cwd.length + 1), timedOut }
}

/** Azure's definitions are looked for beside the checkout, which the copy is not. */
function officialDefinitions(root: string): Record<string, string> {
  const beside = join(root, '../shared/azure-openapi')
  return process.env['AZURE_OPENAPI'] === undefined && existsSync(beside) ? { AZURE_OPENAPI: beside } : {}
}

/** Ends a run with all processes that it started. */
function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

export const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8')
