import { defineConfig } from 'vitest/config'

/** `npm run providers`: one suite of behaviours against each provider of machines, one after another. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // CI machines are shared: a test may fail once, and is named in the summary.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    reporters: ['verbose'],
    chaiConfig: { truncateThreshold: 2_000 },
  },
})
