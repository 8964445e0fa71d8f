import { afterAll, inject } from 'vitest'
import { connect } from '../src/db/client.ts'
import type { Db } from '../src/db/schema.ts'
import type { Overrides } from '../src/app.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startTestEmulator, type TestEmulator } from './emulator.ts'
import { type EnvironmentOptions, startEnvironment, type TestEnvironment } from './environment.ts'
import { type FarEnd, startFarEnd } from './far-end.ts'
import { startTestPortal, type TestPortal } from './portal.ts'

/** Things that the tests of one file share: they stand before its first test, and end after its last. */

export async function sharedEnvironment(options?: EnvironmentOptions): Promise<TestEnvironment> {
  const env = await startEnvironment(options)
  afterAll(() => env.stop())
  return env
}

export async function sharedPortal(
  settings?: Readonly<Record<string, string>>,
  overrides?: Overrides,
): Promise<TestPortal> {
  const portal = await startTestPortal(inject('testCluster'), settings, overrides)
  afterAll(() => portal.close())
  return portal
}

export interface SharedDatabase extends TestDatabase {
  readonly db: Db
}

/** @param size connections that `db` has at most */
export async function sharedDatabase({
  size = 2,
  as = 'owner',
}: { readonly size?: number; readonly as?: 'owner' | 'app' } = {}): Promise<SharedDatabase> {
  const database = await createTestDatabase(inject('testCluster'))
  const db = connect({ connectionString: as === 'owner' ? database.url : database.appUrl }, { size, as })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })
  return { ...database, db }
}

export async function sharedEmulator(options?: Parameters<typeof startTestEmulator>[0]): Promise<TestEmulator> {
  const emulator = await startTestEmulator(options)
  afterAll(() => emulator.stop())
  return emulator
}

export async function sharedFarEnd(): Promise<FarEnd> {
  const far = await startFarEnd()
  afterAll(() => far.stop())
  return far
}
