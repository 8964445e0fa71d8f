import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLog } from '@trainyard/platform/server/run/files/private-log.ts'
import { environmentWith } from '@trainyard/platform/server/config/config.ts'

export interface Part {
  readonly name: string
  readonly script: readonly [string, ...string[]]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /**
   * True if the process loads its code and then waits for the message `go`. The supervisor appends the argument `wait`.
   */
  readonly waits?: boolean
  readonly watch?: readonly string[]
}

export interface SupervisedPart {
  readonly part: Part
  proceed(): void
  restart(): void
  /** Stops the process permanently. Kills it after `timeoutMs` ms. */
  stop(timeoutMs: number): Promise<void>
}

const SHORTEST_PAUSE = 100
const LONGEST_PAUSE = 2_000
/** Uptime after which the restart pause is reset, in milliseconds. */
const RECOVERED = 5_000
const RESTART_PATIENCE = 2_000
const parentWatchdog = fileURLToPath(new URL('parent-watchdog.ts', import.meta.url))

/**
 * Returns the variable NODE_COMPILE_CACHE. With it, a process also caches the modules that are loaded before it calls
 * `enableCompileCache`. Without it, each process would load the TypeScript compiler to read two small files.
 */
function compileCacheEnv(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir()
  // Each process appends the version of Node to the path, so that part is removed here.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/**
 * Runs a process and restarts it when it ends.
 * @param logs folder of its log file; null: our standard error
 * @param ending when aborted, ended processes are not restarted, because Ctrl-C ends the children too
 */
export function keepRunning(
  part: Part,
  logs: string | null,
  logMessage: (sentence: string) => void,
  ending: AbortSignal,
): SupervisedPart {
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | null = null
  let pause = SHORTEST_PAUSE
  let stopped = false
  let isWanted = false
  let waits = part.waits === true

  const start = () => {
    timer = null
    const born = Date.now()
    const out = logs === null ? 2 : openLog(join(logs, `${part.name}.log`))
    const running = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', parentWatchdog, ...part.script, ...(waits ? ['wait'] : [])],
      {
        cwd: part.cwd,
        env: environmentWith({ ...compileCacheEnv(), ...part.env }),
        stdio: ['ignore', out, out, 'ipc'],
      },
    )
    if (logs !== null) closeSync(out)
    child = running
    running.once('exit', (code, signal) => {
      child = null
      if (stopped) return
      if (isWanted) {
        isWanted = false
        start()
        return
      }
      if (Date.now() - born > RECOVERED) pause = SHORTEST_PAUSE
      timer = setTimeout(() => {
        if (ending.aborted) return
        logMessage(`${part.name} ended unexpectedly (${signal ?? `code ${code}`}). Restarting it.${hint(part, logs)}`)
        start()
      }, pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE)
    })
    running.on('error', (error) => logMessage(`${part.name} could not be started: ${error.message}`))
  }
  start()

  return {
    part,
    proceed() {
      if (waits) child?.send('go', () => undefined)
      waits = false
    },
    restart() {
      if (stopped) return
      if (timer !== null) clearTimeout(timer)
      if (child === null) return start()
      isWanted = true
      end(child, RESTART_PATIENCE)
    },
    async stop(patience) {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      const running = child
      if (running === null || running.exitCode !== null || running.signalCode !== null) return
      const exited = once(running, 'exit')
      end(running, patience)
      await exited
    },
  }
}

function end(child: ChildProcess, timeoutMs: number): void {
  const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  child.once('exit', () => clearTimeout(force))
  child.kill('SIGTERM')
}

const hint = (part: Part, logs: string | null) => (logs === null ? '' : ` Log: ${join(logs, `${part.name}.log`)}`)
