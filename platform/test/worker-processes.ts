import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Pace } from '../server/run/parts.ts'
import { FAST_PACE, type TestEnvironment } from './environment.ts'
import type { WorkerArguments } from './worker.ts'

/** Workers of a test environment in separate processes that can be killed. */
export interface WorkerProcesses {
  /** Starts another worker. Resolves when the worker has started to work. */
  start(): Promise<void>
  /** Kills the oldest worker while it works. Resolves after its exit. */
  killOldest(): Promise<void>
  killAll(): Promise<void>
  /** Errors on the workers' standard error; must stay empty. */
  readonly complaints: readonly string[]
}

export function workerProcesses({ portal }: TestEnvironment, pace: Partial<Pace> = {}): WorkerProcesses {
  const alive = new Set<ChildProcess>()
  const complaints: string[] = []
  const kill = async (worker: ChildProcess) => {
    alive.delete(worker)
    const ended = once(worker, 'exit')
    if (worker.kill('SIGKILL')) await ended
  }
  return {
    complaints,
    async start() {
      const workerArguments: WorkerArguments = { settings: portal.settings, pace: { ...FAST_PACE, ...pace } }
      const script = fileURLToPath(new URL('worker.ts', import.meta.url))
      const worker = spawn(process.execPath, [script, JSON.stringify(workerArguments)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      alive.add(worker)
      worker.stderr.on('data', (text: Buffer) => complaints.push(text.toString()))
      const died = once(worker, 'exit').then(([code]) => {
        throw new Error(`A worker ended with ${code} before it worked: ${complaints.join('')}`)
      })
      await Promise.race([once(worker.stdout, 'data'), died])
    },
    async killOldest() {
      const [oldest] = alive
      if (oldest === undefined) throw new Error('No worker is left to kill.')
      await kill(oldest)
    },
    killAll: async () => void (await Promise.all([...alive].map(kill))),
  }
}
