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

export type Outcome =
  | { readonly end: 'passed' }
  | { readonly end: 'timeout' }
  /** `timedOut`: no assertion failed, but a test exceeded its time limit. */
  | { readonly end: 'failed'; readonly by: string; readonly timedOut: boolean }

export interface Workspace {
  readonly folder: string
  write(file: string, source: string): void
  /** Runs the tests in the copy, one file after another, until one fails. Throws if Vitest itself fails twice. */
  runTests(tests: readonly string[], limitMs: number): Promise<Outcome>
  remove(): void
}

export function makeWorkspace(root: string, cluster: string): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-mutants-'))
  for (const file of trackedFiles(root)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  if (existsSync(join(root, 'web/dist'))) symlinkSync(join(root, 'web/dist'), join(folder, 'web/dist'))
  linkModules(root, folder)
  const running: { pid?: number | undefined } = {}
  const workspace: Workspace = {
    folder,
    write: (file, source) => writeFileSync(join(folder, file), source),
    async runTests(tests, limitMs) {
      const env = {
        ...azureDefinitionsEnv(root),
        MUTANT_CLUSTER: cluster,
        MUTANT_TESTS: tests.join(' '),
        // Compiled sources are cached across runs, because compiling takes a third of a short run.
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
      }
      const outcome =
        (await runVitest(folder, limitMs, env, running)) ?? (await runVitest(folder, limitMs, env, running))
      if (outcome === null) throw new Error(`Vitest exited without a result for ${tests.join(' ')}.`)
      return outcome
    },
    remove() {
      killGroup(running.pid)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return workspace
}

export const trackedFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((file) => file !== '' && !file.startsWith('docs/screens/') && existsSync(join(root, file)))

/** Links node_modules so that our own packages resolve inside the copy and all others to the original. */
function linkModules(root: string, folder: string): void {
  const from = join(root, 'node_modules')
  const target = join(folder, 'node_modules')
  mkdirSync(join(target, '@trainyard'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@trainyard') symlinkSync(join(from, name), join(target, name))
  for (const name of readdirSync(join(from, '@trainyard'))) {
    symlinkSync(join(folder, name), join(target, '@trainyard', name))
    // A workspace package has its own node_modules folder where it needs another version of a dependency.
    const workspaceModules = join(root, name, 'node_modules')
    if (existsSync(workspaceModules)) symlinkSync(workspaceModules, join(folder, name, 'node_modules'))
  }
}

function runVitest(
  cwd: string,
  limitMs: number,
  env: Readonly<Record<string, string>>,
  running: { pid?: number | undefined },
): Promise<Outcome | null> {
  const report = join(cwd, 'mutant.json')
  rmSync(report, { force: true })
  const config = 'tools/mutants/vitest.config.ts'
  const args = ['run', '--config', config, '--bail=1', '--reporter=json', `--outputFile=${report}`]
  return new Promise((resolve) => {
    const child = spawn('vitest', args, {
      cwd,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, CI: '', STORM: '', ...env },
    })
    running.pid = child.pid
    const timer = setTimeout(() => {
      killGroup(child.pid)
      resolve({ end: 'timeout' })
    }, limitMs)
    child.on('exit', (code) => {
      clearTimeout(timer)
      killGroup(child.pid)
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

/** Returns the setting that points to Azure's definitions: the default path, next to the checkout, fails in the copy. */
function azureDefinitionsEnv(root: string): Record<string, string> {
  const openApiFolder = join(root, '../shared/azure-openapi')
  return process.env['AZURE_OPENAPI'] === undefined && existsSync(openApiFolder) ? { AZURE_OPENAPI: openApiFolder } : {}
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already exited.
  }
}

export const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8')
