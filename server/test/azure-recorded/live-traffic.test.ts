import { fileURLToPath } from 'node:url'
import { existsSync } from 'node:fs'
import { readRecordings } from '@trainyard/emulator/test/recordings.ts'
import { expect, test } from 'vitest'
import { surprisesIn } from './held.ts'

/** Where `npm run live` keeps what went over the wire. */
const folder = fileURLToPath(new URL('../../../data/live/traffic', import.meta.url))

test.skipIf(!existsSync(folder))(
  'the recordings of npm run live hold nothing that the adapters do not know',
  async () => {
    expect(await surprisesIn(readRecordings(folder))).toEqual([])
  },
)
