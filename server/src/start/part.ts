import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLog } from '../files/closed-log.ts'
import { environmentWith } from '../config.ts'

/** A program of the process tree. */
export interface Part {
  readonly name: string
  /** The command line of node: the script's absolute path and its arguments. */
  readonly script: readonly [string, ...string[]]
  readonly cwd?: string
  /** Variables on top of our own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** It reads its code at once, and begins when it is told to: `go`. Its last argument, `wait`, says so. */
  readonly waits?: boolean
  /** Folders whose changes start it anew, in development. */
  readonly watch?: readonly string[]
}

export interface KeptPart {
  readonly part: Part
  /** Lets a part that waits begin, now and whenever it is started again. */
  go(): void
  /** Ends it and starts it again at once. */
  restart(): void
  /** Asks it to end, by force after `patience` ms; it stays ended. */
  stop(patience: number): Promise<void>
}

const SHORTEST_PAUSE = 100
const LONGEST_PAUSE = 2_000
/** Living this long counts as recovered: the next pause is short again. */
const RECOVERED = 5_000
const RESTART_PATIENCE = 2_000
const leash = fileURLToPath(new URL('leash.ts', import.meta.url))

/**
 * Starts the part and keeps it running: whenever it ends, it is started again after a growing pause.
 * @param logs folder of its log file; null sends what it writes to our standard error
 * @param say tells people what happened
 * @param ending once it is aborted, what ends is not started again: Ctrl-C reaches the parts as well as us
 */
export function keep(part: Part, logs: string | null, say: (sentence: string) => void, ending: AbortSignal): KeptPart {
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | null = null
  let pause = SHORTEST_PAUSE
  let stopped = false
  let wanted = false
  let waits = part.waits === true

  const start = () => {
    timer = null
    const born = Date.now()
    const out = logs === null ? 2 : openLog(join(logs, `${part.name}.log`))
    const running = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', leash, ...part.script, ...(waits ? ['wait'] : [])],
      { cwd: part.cwd, env: environmentWith(part.env ?? {}), stdio: ['ignore', out, out, 'ipc'] },
    )
    if (logs !== null) closeSync(out)
    child = running
    running.once('exit', (code, signal) => {
      child = null
      if (stopped) return
      if (wanted) {
        wanted = false
        start()
        return
      }
      if (Date.now() - born > RECOVERED) pause = SHORTEST_PAUSE
      timer = setTimeout(() => {
        if (ending.aborted) return
        say(`${part.name} ended unexpectedly (${signal ?? `code ${code}`}); it is started again.${hint(part, logs)}`)
        start()
      }, pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE)
    })
    running.on('error', (error) => say(`${part.name} could not be started: ${error.message}`))
  }
  start()

  return {
    part,
    go() {
      if (waits) child?.send('go', () => undefined)
      waits = false
    },
    restart() {
      if (stopped) return
      if (timer !== null) clearTimeout(timer)
      if (child === null) return start()
      wanted = true
      end(child, RESTART_PATIENCE)
    },
    async stop(patience) {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      const running = child
      if (running === null || running.exitCode !== null || running.signalCode !== null) return
      const gone = once(running, 'exit')
      end(running, patience)
      await gone
    },
  }
}

function end(child: ChildProcess, patience: number): void {
  const force = setTimeout(() => child.kill('SIGKILL'), patience)
  child.once('exit', () => clearTimeout(force))
  child.kill('SIGTERM')
}

const hint = (part: Part, logs: string | null) => (logs === null ? '' : ` Its log: ${join(logs, `${part.name}.log`)}`)
