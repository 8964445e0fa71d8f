import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { findBinaries } from './binaries.ts'
import { makeCluster } from './cluster.ts'
import { embeddedPlace } from './place.ts'

const run = promisify(execFile)

/**
 * Lays a new cluster into an empty data folder, as its first start would make it: a copy of one that is made once in a
 * whole run, since making one takes ten times the work.
 */
export async function layCluster(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  made ??= make()
  const from = await made
  const { cluster, home } = embeddedPlace(dataDir)
  if (from !== null && home === dataDir) await run('cp', ['-a', from, cluster])
}

/** Tests side by side in one process wait for the same one. */
let made: Promise<string | null> | undefined

/** Makes it beside the run's own cluster, with which it goes; null where that is not to be found by its socket. */
async function make(): Promise<string | null> {
  const sockets = new URL(inject('testCluster')).searchParams.get('host')!
  if (basename(sockets) !== 'run') return null
  const ofRun = embeddedPlace(dirname(sockets))
  const place = { ...ofRun, cluster: join(ofRun.home, 'made') }
  await makeCluster(place, findBinaries(place.account))
  return place.cluster
}
