import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import { endProcessesIn, processesIn } from '@trainyard/platform/server/db/embedded/cluster.ts'
import { copyTestCluster } from '@trainyard/platform/server/db/embedded/test-cluster.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { answers, type Ports, type Run, startRun } from './test-run.ts'

export interface TestFixture {
  readonly dir: string
  /** Parent folder, which every user may enter. */
  readonly above: string
  readonly ports: Ports
  start(options?: Parameters<typeof startRun>[2]): Run
  query(query: string): Promise<unknown[]>
  leftovers(): Promise<Leftovers>
}

interface Leftovers {
  readonly postgres: readonly number[] | null
  readonly http: boolean
  readonly emulator: boolean
}
export const NO_PROCESSES: Leftovers = { postgres: [], http: false, emulator: false }

/** @param empty true: without a database, so that the first start creates one */
export async function makeFixture(
  { onTestFinished }: { onTestFinished(end: () => Promise<void>): void },
  { empty = false } = {},
): Promise<TestFixture> {
  const above = mkdtempSync(join(tmpdir(), 'trainyard-start-'))
  chmodSync(above, 0o755)
  const dir = join(above, 'data')
  mkdirSync(dir, { mode: 0o755 })
  const runs: Run[] = []
  onTestFinished(async () => {
    for (const run of runs) run.child.kill('SIGTERM')
    await Promise.all(runs.map((run) => run.ended))
    await endProcessesIn(embeddedPlace(dir).cluster)
    removeFolder(above)
  })
  if (!empty) await copyTestCluster(dir)
  const ports = { http: await freePort(), emulator: await freePort(), smtp: await freePort() }
  return {
    dir,
    above,
    ports,
    start(options = {}) {
      const run = startRun(dir, ports, options)
      runs.push(run)
      return run
    },
    query: (query) => queryDatabase(embeddedPlace(dir).url, query),
    leftovers: async () => ({
      postgres: processesIn(embeddedPlace(dir).cluster),
      http: await answers(ports.http),
      emulator: await answers(ports.emulator),
    }),
  }
}
