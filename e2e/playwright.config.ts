import { defineConfig } from '@playwright/test'
import { findBrowser } from './src/browser.ts'

/** Slow tests of rare paths, which `npm run storm` runs: files named `*.storm.spec.ts`, and tests tagged `@storm` */
const SLOW = /@storm|\.storm\.spec/
/** Tests of screens beyond the specification, which `npm run test:full` runs: files named `*.full.spec.ts` */
const FULL = /\.full\.spec/

/** Tests and screenshots run in a real browser against the complete product. Each worker has its own portal. */
export default defineConfig({
  testDir: 'src',
  workers: 2,
  // The loaded CI machine may miss a time limit; CI reports tests that passed on retry. Local runs do not retry.
  retries: process.env['CI'] === 'true' ? 1 : 0,
  // Timeout far above the duration of any test, so that only a test that hangs reaches it.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [['list']],
  outputDir: '../test-results/e2e',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'reduce',
    // Tracing every test would take a third of its time.
    trace: 'on-first-retry',
    launchOptions: await findBrowser(),
  },
  projects: [
    { name: 'tests', testMatch: '*.spec.ts', grepInvert: [SLOW, FULL] },
    { name: 'full', testMatch: '*.full.spec.ts' },
    { name: 'storm', testMatch: '*.spec.ts', grep: SLOW },
    { name: 'screens', testMatch: '*.pictures.ts' },
    {
      name: 'moodle',
      testMatch: 'moodle.suite.ts',
      retries: 0,
      timeout: 30 * 60_000,
      expect: { timeout: 90_000 },
      use: { actionTimeout: 60_000, navigationTimeout: 90_000 },
    },
  ],
})
