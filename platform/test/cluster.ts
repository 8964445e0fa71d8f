import { mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { embeddedPlace } from '../server/db/embedded/place.ts'
import { endProcessesIn } from '../server/db/embedded/cluster.ts'
import { startEmbedded } from '../server/db/embedded/start-embedded.ts'
import { connectAll } from '@trainyard/modules/server.ts'
import { makeTemplate } from './database.ts'
import { removeFolder } from './remove-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testCluster: string
  }
}

const PREFIX = 'trainyard-test-'

/** Vitest's global set-up: starts one cluster with a migrated template for the whole run, and removes it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  connectAll()
  await removeAbandoned()
  const dir = join(tmpdir(), `${PREFIX}${process.pid}`)
  mkdirSync(dir, { recursive: true, mode: 0o755 })
  // The data is not needed after the run, so it need not be written to the disk.
  const cluster = await startEmbedded(dir, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' })
  const remove = async () => {
    await cluster.stop()
    removeFolder(dir)
  }
  try {
    await makeTemplate(cluster.superuserUrl)
  } catch (error) {
    await remove()
    throw error
  }
  project.provide('testCluster', cluster.superuserUrl)
  return remove
}

/** Removes the clusters of test runs that were killed. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : Number.NaN)
    if (!Number.isInteger(pid) || alive(pid)) continue
    const dir = join(tmpdir(), name)
    await endProcessesIn(embeddedPlace(dir).cluster)
    removeFolder(dir)
  }
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
