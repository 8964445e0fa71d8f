import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { createCluster, programFolder } from './cluster.ts'
import { embeddedPlace } from './place.ts'

const run = promisify(execFile)

/** Copies a cluster that is created once per test run. Creating a cluster takes ten times as long as copying one. */
export async function copyTestCluster(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  made ??= make()
  const from = await made
  const { cluster, home } = embeddedPlace(dataDir)
  if (from !== null && home === dataDir) await run('cp', ['-a', from, cluster])
}

let made: Promise<string | null> | undefined

async function make(): Promise<string | null> {
  const sockets = new URL(inject('testCluster')).searchParams.get('host')!
  if (basename(sockets) !== 'run') return null
  const ofRun = embeddedPlace(dirname(sockets))
  const ref = { ...ofRun, cluster: join(ofRun.home, 'made') }
  await createCluster(ref, programFolder(ref.osUser))
  return ref.cluster
}
