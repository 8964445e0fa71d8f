import { defineConfig } from '@playwright/test'
import { findBrowser } from './src/browser.ts'

/** Tests and pictures run in a real browser on the real product; each worker has a portal of its own. */
export default defineConfig({
  testDir: 'src',
  workers: 2,
  // The continuous run's crowded machine may miss a beat, and names the test that did; where people work none may.
  retries: process.env['CI'] === 'true' ? 1 : 0,
  // Far above what anything takes: only what never comes costs so long.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: [['list']],
  outputDir: '../test-results/e2e',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'reduce',
    // A trace of each test would cost a third of its time.
    trace: 'on-first-retry',
    launchOptions: await findBrowser(),
  },
  projects: [
    { name: 'tests', testMatch: '*.spec.ts' },
    { name: 'screens', testMatch: '*.pictures.ts' },
  ],
})
