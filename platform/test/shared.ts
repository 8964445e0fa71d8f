import { afterAll, inject } from 'vitest'
import type { Overrides } from '@trainyard/server/compose.ts'
import type { Db } from '../server/db/schema.ts'
import type { AwsLabs } from './aws-environment.ts'
import type { TestDatabase } from './database.ts'
import type { TestEmulator } from './emulator.ts'
import type { EnvironmentOptions, TestEnvironment } from './environment.ts'
import type { EmulatedAzure } from './emulated-azure.ts'
import type { LabEnvironment } from './lab-environment.ts'
import type { TestPortal } from './portal.ts'

/**
 * Starts resources that the tests of one file share, before the first test, and stops them after the last. Modules are
 * imported on demand, because a database test does not need the providers' clients.
 */

export async function sharedEnvironment(options?: EnvironmentOptions): Promise<TestEnvironment> {
  const { startEnvironment } = await import('./environment.ts')
  return stopAfterTests(await startEnvironment(options))
}

export async function sharedLabEnvironment(): Promise<LabEnvironment> {
  const { startLabEnvironment } = await import('./lab-environment.ts')
  return stopAfterTests(await startLabEnvironment())
}

export async function sharedAwsLabs(): Promise<AwsLabs> {
  const { startAwsLabs } = await import('./aws-environment.ts')
  return stopAfterTests(await startAwsLabs())
}

export async function sharedEmulator(options?: Pick<EnvironmentOptions, 'latency' | 'clock'>): Promise<TestEmulator> {
  const { startTestEmulator } = await import('./emulator.ts')
  return stopAfterTests(await startTestEmulator(options))
}

export async function sharedEmulatedAzure(): Promise<EmulatedAzure> {
  const { startEmulatedAzure } = await import('./emulated-azure.ts')
  return stopAfterTests(await startEmulatedAzure())
}

function stopAfterTests<T extends { stop(): Promise<void> }>(started: T): T {
  afterAll(() => started.stop())
  return started
}

export async function sharedPortal(
  settings?: Readonly<Record<string, string>>,
  overrides?: Overrides,
): Promise<TestPortal> {
  const { startTestPortal } = await import('./portal.ts')
  const portal = await startTestPortal(inject('testCluster'), settings, overrides)
  afterAll(() => portal.close())
  return portal
}

export interface SharedDatabase extends TestDatabase {
  readonly db: Db
}

/** @param size maximum number of connections of `db` */
export async function sharedDatabase({
  size = 2,
  as = 'owner',
}: { readonly size?: number; readonly as?: 'owner' | 'app' } = {}): Promise<SharedDatabase> {
  const [{ createTestDatabase }, { connect }] = await Promise.all([
    import('./database.ts'),
    import('../server/db/client.ts'),
  ])
  const database = await createTestDatabase(inject('testCluster'))
  const db = connect({ connectionString: as === 'owner' ? database.url : database.appUrl }, { size, as })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })
  return { ...database, db }
}
