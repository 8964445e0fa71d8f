import { defineConfig } from 'vitest/config'
import { MeasuredFirst } from './scripts/measured.ts'
import { memoryFolder } from './server/test/memory.ts'

const memory = memoryFolder()
if (memory !== null) process.env['TMPDIR'] ??= memory

/**
 * The next file of a project has the process of the one before it, with all that it has loaded: loading the server
 * anew for each of 200 files took a third of the time. A test file therefore leaves nothing behind: servers closed,
 * the environment as it was.
 */
const isolate = false

/** `web` brings its own vitest.config.ts when its components need a browser's document; see web/. */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The continuous run's crowded machine may miss a beat, and names the test that did; where people work none may.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    // A failed comparison shows the list that should have been empty, not only how long it was.
    chaiConfig: { truncateThreshold: 2_000 },
    // A server's test file has its own database and its own processes: more at once than this starves two cores.
    maxWorkers: 4,
    // Four processes on two cores have no core to spare for helpers of theirs that collect garbage.
    execArgv: ['--single-threaded-gc'],
    sequence: { sequencer: MeasuredFirst },
    projects: [
      { test: { isolate, name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      {
        test: {
          isolate,
          name: 'server',
          include: ['server/{src,test}/**/*.test.ts'],
          globalSetup: ['server/test/cluster.ts'],
          testTimeout: 60_000,
        },
      },
      { test: { isolate, name: 'emulator', include: ['emulator/{src,test}/**/*.test.ts'], testTimeout: 20_000 } },
      { test: { isolate, name: 'web', include: ['web/{src,build}/**/*.test.ts', 'web/src/**/*.test.tsx'] } },
      { test: { isolate, name: 'scripts', include: ['{scripts,tools}/**/*.test.ts'] } },
    ],
  },
})
