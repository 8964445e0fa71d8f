import { fileURLToPath } from 'node:url'
import { existsSync } from 'node:fs'
import { readRecordings } from '../../emulator/test/recordings.ts'
import { expect, test } from 'vitest'
import { unexpectedResults } from './unexpected-results.ts'

/** The folder in which `npm run live` stores its recordings. */
const folder = fileURLToPath(new URL('../../../data/live/traffic', import.meta.url))

test.skipIf(!existsSync(folder))('finds only known responses in the recordings of npm run live', async () => {
  expect(await unexpectedResults(readRecordings(folder))).toEqual([])
})
