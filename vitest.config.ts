import { configDefaults, defineConfig } from 'vitest/config'
import { MeasuredFirst } from './scripts/measured.ts'
import { memoryFolder } from './server/test/memory.ts'

const memory = memoryFolder()
if (memory !== null) process.env['TMPDIR'] ??= memory

/**
 * Test files of a project share a process and its loaded modules: loading the server for each of 200 files took a third
 * of the time. A test file must therefore close its servers and restore the environment.
 */
const isolate = false

/** Only `npm run storm` runs the long fault injections: they took a tenth of the time of all tests. */
const exclude =
  process.env['STORM'] === undefined ? [...configDefaults.exclude, '**/*.storm.test.ts'] : configDefaults.exclude

/** Test projects, one per workspace that has Vitest tests */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // CI machines are shared: a test may fail once, and is named in the summary.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    // Show the elements of a list that should be empty, not only its length.
    chaiConfig: { truncateThreshold: 2_000 },
    // A server test file starts its own database and processes: more workers starve two cores.
    maxWorkers: 4,
    // With four processes on two cores, parallel garbage collection threads only add contention.
    execArgv: ['--single-threaded-gc'],
    sequence: { sequencer: MeasuredFirst },
    projects: [
      { test: { isolate, name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      {
        test: {
          isolate,
          name: 'server',
          include: ['server/{src,test}/**/*.test.ts'],
          exclude,
          globalSetup: ['server/test/cluster.ts'],
          testTimeout: 60_000,
        },
      },
      { test: { isolate, name: 'emulator', include: ['emulator/{src,test}/**/*.test.ts'], testTimeout: 20_000 } },
      { test: { isolate, name: 'web', include: ['web/{src,build}/**/*.test.ts', 'web/src/**/*.test.tsx'] } },
      { test: { isolate, name: 'cli', include: ['cli/src/**/*.test.ts'] } },
      { test: { isolate, name: 'scripts', include: ['{scripts,tools}/**/*.test.ts'] } },
    ],
  },
})
