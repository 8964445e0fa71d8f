import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { moduleOf } from './modules.ts'
import { probed, RECORD_FILE, RECORDER } from './probes.ts'
import { read, trackedFiles, type Workspace } from './workspace.ts'

export interface Baseline {
  readonly test: string
  /** Duration in milliseconds. Null if the run failed; a failed test file is not used to test mutants. */
  readonly ms: number | null
  /** Mutations that would have changed code that the test ran, in its own process or in one that it started. */
  readonly reached: ReadonlySet<string>
}

interface Stored {
  readonly own: string
  readonly all: string
  readonly ms: number | null
  readonly reached: readonly string[]
}

/** Returns the test files of the server. Storm tests run in their short form, as with `npm test`. */
const serverTests = (root: string): string[] => trackedFiles(root).filter((file) => /^server\/.*\.test\.ts$/.test(file))

/**
 * Measures the tests. A result is stored until the test or any shared source changes; with `stale`, until the test
 * changes.
 */
export async function measureBaselines(
  root: string,
  workspaces: readonly Workspace[],
  { store, stale, log }: { store: string; stale: boolean; log: (line: string) => void },
): Promise<Baseline[]> {
  const sources = trackedFiles(root).filter((file) => /^(server|emulator|contract)\/.*\.ts$/.test(file))
  const all = hashOf(...sources.filter((file) => !file.endsWith('.test.ts')).map((file) => read(root, file)))
  const stored: Record<string, Stored> = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {}
  const current: Record<string, Stored> = {}
  const outdated: string[] = []
  for (const test of serverTests(root)) {
    const found = stored[test]
    // A failed test is run again, because the load on the machine may have made it fail.
    const isValid = found?.own === hashOf(read(root, test)) && found.ms !== null && (stale || found.all === all)
    if (found !== undefined && isValid) current[test] = found
    else outdated.push(test)
  }
  if (outdated.length > 0) {
    log(`Running ${outdated.length} test files without a mutant.`)
    const instrumented = sources.filter((file) => moduleOf(file) !== null)
    for (const { folder, write } of workspaces) {
      writeFileSync(join(folder, 'recorder.mjs'), RECORDER)
      for (const file of instrumented) write(file, probed(file, read(root, file), join(folder, 'recorder.mjs')))
    }
    await Promise.all(
      workspaces.map(async (workspace) => {
        for (let test = outdated.shift(); test !== undefined; test = outdated.shift()) {
          const result = await runBaseline(workspace, test)
          if (result.ms === null) log(`${test} fails without a mutant: not used to test mutants.`)
          current[test] = { own: hashOf(read(root, test)), all, ...result }
          mkdirSync(dirname(store), { recursive: true })
          // The stored results of tests that have not run yet are retained, because they may be valid for another
          // checkout.
          writeFileSync(store, JSON.stringify({ ...stored, ...current }))
        }
      }),
    )
    for (const { write } of workspaces) for (const file of instrumented) write(file, read(root, file))
  }
  return Object.entries(current).map(([test, { ms, reached }]) => ({ test, ms, reached: new Set(reached) }))
}

async function runBaseline(workspace: Workspace, test: string): Promise<{ ms: number | null; reached: string[] }> {
  const recordFile = join(workspace.folder, RECORD_FILE)
  for (let attempt = 0; attempt < 2; attempt++) {
    writeFileSync(recordFile, '')
    const startedAt = Date.now()
    const { end } = await workspace.runTests([test], 300_000)
    if (end === 'passed') {
      return { ms: Date.now() - startedAt, reached: [...new Set(readFileSync(recordFile, 'utf8').trim().split('\n'))] }
    }
  }
  return { ms: null, reached: [] }
}

const hashOf = (...texts: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex').slice(0, 16)
}
