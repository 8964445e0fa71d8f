import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { memoryFolder } from '@trainyard/platform/test/memory.ts'

const memory = memoryFolder()
if (memory !== null) process.env['TMPDIR'] ??= memory
// Without this variable, each process that a test starts loads the TypeScript compiler to read its first small files.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')

/**
 * Test files of a project share a process and its loaded modules: loading the server for each of 200 files took a third
 * of the time. A test file must therefore close its servers and restore the environment.
 */
const isolate = false

/** Only `npm run storm` runs the long fault injections: they took a tenth of the time of all tests. */
const exclude =
  process.env['STORM'] === undefined ? [...configDefaults.exclude, '**/*.storm.test.ts'] : configDefaults.exclude

/** Runs the server's test files first, and of those the access matrix: they take longest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number =>
      moduleId.endsWith('/access/access.test.ts') ? 0 : project.name === 'server' ? 1 : 2
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** Test projects, one per workspace that has Vitest tests */
export default defineConfig({
  test: {
    // Far above the duration of any test on an idle machine, so that only a test that hangs reaches it.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    // CI machines are shared: a test may fail once, and is named in the summary.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    // Show the elements of a list that should be empty, not only its length.
    chaiConfig: { truncateThreshold: 2_000 },
    // A server test file starts its own database and processes: more workers starve two cores.
    maxWorkers: 4,
    // With four processes on two cores, parallel garbage collection threads only add contention. A larger young
    // generation saves 8 % of the CPU time.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=16', '--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    tags: [
      { name: 'full', description: 'A test of details or rare paths: npm run test:full runs it, npm test does not.' },
      { name: 'storm', description: 'A slow test of a rare path: npm run storm runs it.' },
    ],
    projects: [
      { test: { isolate, name: 'contract', include: ['{platform,core/*,addons/*}/contract/**/*.test.ts'] } },
      {
        test: {
          isolate,
          name: 'server',
          include: ['apps/{modules,server}/**/*.test.ts', '{platform,core/*,addons/*}/{server,test}/**/*.test.ts'],
          exclude,
          globalSetup: ['platform/test/cluster.ts'],
          setupFiles: ['platform/test/connect-modules.ts'],
        },
      },
      {
        test: {
          isolate,
          name: 'emulator',
          include: ['apps/emulator/**/*.test.ts', '{platform,core/*,addons/*}/emulator/**/*.test.ts'],
        },
      },
      {
        test: {
          isolate,
          name: 'web',
          include: ['apps/web/**/*.test.ts', '{platform,core/*,addons/*}/web/**/*.test.{ts,tsx}'],
        },
      },
      { test: { isolate, name: 'cli', include: ['addons/cli/cli/**/*.test.ts'] } },
      { test: { isolate, name: 'scripts', include: ['scripts/**/*.test.ts'], exclude } },
    ],
  },
})
