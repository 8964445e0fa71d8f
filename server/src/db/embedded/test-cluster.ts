import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { findBinaries } from './binaries.ts'
import { createCluster } from './cluster.ts'
import { embeddedPlace } from './place.ts'

const run = promisify(execFile)

/**
 * Creates a cluster in an empty data folder, as its first start would. Copies a cluster that is created once per run,
 * because creating one takes ten times as long.
 */
export async function copyTestCluster(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  made ??= make()
  const from = await made
  const { cluster, home } = embeddedPlace(dataDir)
  if (from !== null && home === dataDir) await run('cp', ['-a', from, cluster])
}

/** Shared by concurrent tests of one process. */
let made: Promise<string | null> | undefined

/**
 * Creates the cluster to copy in the folder of the run's cluster, with which it is removed. Returns null if the socket
 * does not lead to that folder.
 */
async function make(): Promise<string | null> {
  const sockets = new URL(inject('testCluster')).searchParams.get('host')!
  if (basename(sockets) !== 'run') return null
  const ofRun = embeddedPlace(dirname(sockets))
  const place = { ...ofRun, cluster: join(ofRun.home, 'made') }
  await createCluster(place, findBinaries(place.account))
  return place.cluster
}
