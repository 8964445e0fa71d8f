import { dueChannel } from './notify.ts'
import type { Loop } from './running.ts'
import { LIMIT_SECONDS, type TaskOfEach } from './task.ts'
import { wakeable } from './wakeable.ts'

/** The last run of a task in this process. Times are milliseconds of the monotonic clock. */
export interface LastRun {
  readonly name: string
  readonly every: number
  readonly startedAt: number
  /** End of the previous run while a run is in progress; null: there was no previous run. */
  readonly endedAt: number | null
  readonly lagSeconds: number
  readonly error: string | null
}

export interface WorkerTaskOptions {
  readonly lastRuns: Map<string, LastRun>
  readonly onBug: (bug: unknown) => void
}

/** Runs the tasks that every worker runs for itself. Intervals use the monotonic clock. */
export function startWorkerTasks(tasks: readonly TaskOfEach[], { lastRuns, onBug }: WorkerTaskOptions): Loop {
  const stopping = new AbortController()
  const running = tasks.map((task) => repeat(task, stopping.signal, (last) => lastRuns.set(task.name, last), onBug))
  const wake = (channel: string | null) => {
    for (const [i, task] of tasks.entries())
      if (
        channel === null
          ? task.wokenBy !== undefined
          : task.wokenBy !== undefined && dueChannel(task.wokenBy) === channel
      )
        running[i]!.wake()
  }
  const channels = [...new Set(tasks.flatMap(({ wokenBy }) => (wokenBy === undefined ? [] : dueChannel(wokenBy))))]
  return {
    listeners: [{ channels, onNotification: wake, onConnect: () => wake(null) }],
    dueChecks: tasks.flatMap(({ name, isDue }, i) => (isDue ? [{ name, isDue, wake: () => running[i]!.wake() }] : [])),
    async stop() {
      stopping.abort()
      for (const { wake } of running) wake()
      await Promise.all(running.map(({ ended }) => ended))
    },
  }
}

const AFTER_ERROR_SECONDS = 2

function repeat(
  task: TaskOfEach,
  stopping: AbortSignal,
  note: (last: LastRun) => void,
  onBug: (bug: unknown) => void,
): { readonly ended: Promise<void>; wake(): void } {
  const { reset, isWoken, sleep, wake } = wakeable()
  let ended: Pick<LastRun, 'endedAt' | 'error'> = { endedAt: null, error: null }

  async function runOnce(lagMs: number): Promise<number> {
    const startedAt = performance.now()
    const run = { name: task.name, every: task.every, startedAt, lagSeconds: lagMs / 1000 }
    const end = (error: string | null) => {
      ended = { endedAt: performance.now(), error }
      note({ ...run, ...ended })
    }
    note({ ...run, ...ended })
    const limit = AbortSignal.timeout((task.limit ?? LIMIT_SECONDS) * 1000)
    try {
      const again = await task.run(AbortSignal.any([stopping, limit]))
      end(null)
      return again?.inSeconds ?? task.every
    } catch (error) {
      end(error instanceof Error ? error.message : String(error))
      if (!stopping.aborted) onBug(error)
      return Math.min(task.every, AFTER_ERROR_SECONDS)
    }
  }

  async function run() {
    let due = performance.now()
    while (!stopping.aborted) {
      reset()
      const seconds = await runOnce(Math.max(0, performance.now() - due))
      due = performance.now() + seconds * 1000
      if (!stopping.aborted && seconds > 0) await sleep(seconds * 1000)
      if (isWoken()) due = Math.min(due, performance.now())
    }
  }

  return { ended: run(), wake }
}
