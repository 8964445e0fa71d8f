import type { Client, ClientChannel } from 'ssh2'
import { ShellError } from '@trainyard/machines/server/ssh/shell-error.ts'
import type { ShellTarget } from '@trainyard/remote-access/server/shell.ts'
import { connectAccount } from '@trainyard/remote-access/server/shells.ts'
import type { Routes } from '@trainyard/templates/server/machine-address.ts'
import {
  commandFor,
  ERROR_OUTPUT_MAX,
  inputFor,
  OUTPUT_MAX,
  type Script,
  type ScriptResult,
  type Scripts,
} from './script.ts'

/** Time after the limit of a script until the portal gives up, if the machine does not end the script. */
const GRACE_MS = 5_000

/** Time for which a connection is kept for the next checks, because a login costs machine and portal 100 times a script. */
const KEPT_MS = 2 * 60_000
const KEPT_MAX = 500

interface Login {
  readonly target: ShellTarget
  readonly client: Client
}

interface Kept extends Login {
  /** Ends the wait for the next checks. */
  release(): void
}

export function sshScripts(routes: Routes): Scripts & { close(): Promise<void> } {
  const kept = new Map<string, Kept>()

  const keyOf = ({ network, address, account }: ShellTarget) => JSON.stringify([network, address, account])

  /** Returns the connection of an earlier use; null if there is none, or the password has changed. */
  function take(target: ShellTarget): Client | null {
    const found = kept.get(keyOf(target))
    if (found === undefined) return null
    found.release()
    if (found.target.password === target.password) return found.client
    found.client.destroy()
    return null
  }

  function keep({ target, client }: Login): void {
    const key = keyOf(target)
    if (kept.has(key) || kept.size >= KEPT_MAX) return void client.destroy()
    const timeout = setTimeout(() => client.destroy(), KEPT_MS)
    const release = () => {
      clearTimeout(timeout)
      client.removeListener('close', release)
      kept.delete(key)
    }
    client.once('close', release)
    kept.set(key, { target, client, release })
  }

  /** Ends a kept connection with the signal of its next use. */
  function follow(client: Client, signal: AbortSignal) {
    const end = () => client.destroy()
    signal.addEventListener('abort', end, { once: true })
    return { client, release: () => signal.removeEventListener('abort', end) }
  }

  async function connect(target: ShellTarget, signal: AbortSignal) {
    const life = new AbortController()
    const end = () => life.abort()
    signal.addEventListener('abort', end, { once: true })
    const client = await connectAccount(target, routes, life.signal)
    return { client, release: () => signal.removeEventListener('abort', end) }
  }

  return {
    async open(target, signal, { isKept = false } = {}) {
      const earlier = isKept ? take(target) : null
      let { client, release } = earlier === null ? await connect(target, signal) : follow(earlier, signal)
      let isFirst = true
      let isBroken = false
      return {
        async run(script) {
          try {
            return await runScript(client, script, target)
          } catch (error) {
            isBroken = true
            // The machine may have ended the kept connection without a sign. Only checks keep one, and can run again.
            if (earlier === null || !isFirst || signal.aborted) throw error
            // A machine that refuses scripts may still answer keep-alives, so the connection would never end.
            release()
            client.destroy()
            ;({ client, release } = await connect(target, signal))
            isFirst = false
            const result = await runScript(client, script, target)
            isBroken = false
            return result
          } finally {
            isFirst = false
          }
        },
        close() {
          release()
          if (isKept && !isBroken && !signal.aborted) keep({ target, client })
          else client.destroy()
        },
      }
    },
    async close() {
      for (const { client } of kept.values()) client.destroy()
    },
  }
}

function runScript(client: Client, script: Script, { address, password }: ShellTarget): Promise<ScriptResult> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timeout)
      client.removeListener('close', onClose)
    }
    const refuse = (message: string, cause?: Error) => {
      stop()
      reject(new ShellError('unreachable', message, { cause }))
    }
    const onClose = () => refuse(`${address} closed the connection during a script.`)
    let onTimeout = () => refuse(`${address} did not start a script in time.`)
    // Begins before the script does, because the machine may never answer.
    const timeout = setTimeout(() => onTimeout(), script.seconds * 1_000 + GRACE_MS)
    client.setMaxListeners(0).once('close', onClose)
    const start = (cause: Error | undefined, channel: ClientChannel) => {
      if (cause !== undefined) return refuse(`Cannot run a script on ${address}: ${cause.message}`, cause)
      const output = new Tail(channel, script.outputMax ?? OUTPUT_MAX)
      const errorOutput = new Tail(channel.stderr, ERROR_OUTPUT_MAX)
      let status: number | null = null
      const settle = () => {
        stop()
        resolve({
          status,
          output: output.text(),
          errorOutput: errorOutput.text(),
          milliseconds: Math.round(performance.now() - began),
        })
      }
      onTimeout = () => {
        status = null
        channel.destroy()
        settle()
      }
      channel.on('exit', (code: number | null) => (status = code))
      channel.on('close', settle)
      // A script may end before it has read all of its input.
      channel.on('error', () => {})
      channel.end(inputFor(script, password))
    }
    try {
      client.exec(commandFor(script), start)
    } catch (cause) {
      // ssh2 throws if the connection was lost before.
      refuse(`Cannot run a script on ${address}: ${(cause as Error).message}`, cause as Error)
    }
  })
}

/** Keeps the end of a stream. The rest is read and dropped, so that the script does not wait. */
class Tail {
  #bytes = Buffer.alloc(0)
  constructor(stream: ClientChannel | ClientChannel['stderr'], max: number) {
    stream.on('data', (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes.subarray(-max)]).subarray(-max)
    })
  }
  text(): string {
    return this.#bytes.toString('utf8')
  }
}
