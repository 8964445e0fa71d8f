import { afterAll } from 'vitest'
import { type FarEnd, startFarEnd } from '#test/far-end.ts'

/** An emulator that the tests of one file share: it stands before the first of them, and ends after the last. */
export async function sharedFarEnd(...options: Parameters<typeof startFarEnd>): Promise<FarEnd> {
  const farEnd = await startFarEnd(...options)
  afterAll(() => farEnd.stop())
  return farEnd
}
