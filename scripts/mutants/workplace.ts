import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A copy of the sources in which one mutant at a time stands. */
export interface Workplace {
  readonly folder: string
  /** Runs the tests there. `caught`: some test failed, or they did not end in time. */
  judge(tests: readonly string[], limitMs: number): Promise<'caught' | 'survived'>
  remove(): void
}

export function makeWorkplace(root: string): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-mutants-'))
  for (const file of trackedFiles(root)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  if (existsSync(join(root, 'web/dist'))) symlinkSync(join(root, 'web/dist'), join(folder, 'web/dist'))
  linkModules(root, folder)
  return {
    folder,
    judge: (tests, limitMs) => runTests(root, folder, tests, limitMs),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
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
  }
}

function runTests(
  root: string,
  cwd: string,
  tests: readonly string[],
  limitMs: number,
): Promise<'caught' | 'survived'> {
  return new Promise((resolve) => {
    const child = spawn('vitest', ['run', '--bail=1', '--retry=0', '--reporter=dot', ...tests], {
      cwd,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, CI: '', STORM: '', ...officialDefinitions(root) },
    })
    const late = setTimeout(() => end(child.pid), limitMs)
    child.on('exit', (code) => {
      clearTimeout(late)
      end(child.pid)
      resolve(code === 0 ? 'survived' : 'caught')
    })
  })
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
