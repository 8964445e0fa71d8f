import { afterAll } from 'vitest'
import { type TestEmulator, startTestEmulator } from './test-emulator.ts'

/** Starts an emulator for all tests of a file and stops it after the last one. */
export async function sharedTestEmulator(...options: Parameters<typeof startTestEmulator>): Promise<TestEmulator> {
  const emulator = await startTestEmulator(...options)
  afterAll(() => emulator.stop())
  return emulator
}
