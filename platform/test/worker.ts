import { enableCompileCache, flushCompileCache } from 'node:module'
import type { Pace } from '../server/run/parts.ts'

/** Arguments of this script, as JSON: a worker in a separate process that can be killed. */
export interface WorkerArguments {
  readonly settings: Readonly<Record<string, string>>
  readonly pace: Pace
}

enableCompileCache()
await import('./connect-modules.ts')
const [{ buildApp }, { workerOf }, { readConfig }, { startWorker }] = await Promise.all([
  import('@trainyard/server/build-app.ts'),
  import('@trainyard/server/compose.ts'),
  import('../server/config/config.ts'),
  import('@trainyard/server/worker.ts'),
])
const { settings, pace } = JSON.parse(process.argv[2]!) as WorkerArguments
const { config, secrets } = readConfig(settings)
const parts = await workerOf(buildApp(config, secrets), {
  azure: { readEveryMs: 20 },
  onBug: (bug) => process.stderr.write(`${bug instanceof Error ? bug.stack : String(bug)}\n`),
  logMessage: () => {},
})
await startWorker(parts, pace)
process.stdout.write('working\n')
// The compile cache is written now, because the process will be killed and not exit normally.
flushCompileCache()
