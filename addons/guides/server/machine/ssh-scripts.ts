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

export const sshScripts = (routes: Routes): Scripts => ({
  async open(target, signal) {
    const client = await connectAccount(target, routes, signal)
    return {
      run: (script) => runScript(client, script, target),
      close: () => client.destroy(),
    }
  },
})

function runScript(client: Client, script: Script, { address, password }: ShellTarget): Promise<ScriptResult> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new ShellError('unreachable', `${address} closed the connection during a script.`))
    client.setMaxListeners(0).once('close', onClose)
    const refuse = (cause: Error) => {
      client.removeListener('close', onClose)
      reject(new ShellError('unreachable', `Cannot run a script on ${address}: ${cause.message}`, { cause }))
    }
    const start = (cause: Error | undefined, channel: ClientChannel) => {
      if (cause !== undefined) return refuse(cause)
      const output = new Tail(channel, OUTPUT_MAX)
      const errorOutput = new Tail(channel.stderr, ERROR_OUTPUT_MAX)
      let status: number | null = null
      const settle = () => {
        clearTimeout(timeout)
        client.removeListener('close', onClose)
        resolve({
          status,
          output: output.text(),
          errorOutput: errorOutput.text(),
          milliseconds: Math.round(performance.now() - began),
        })
      }
      const timeout = setTimeout(
        () => {
          status = null
          channel.destroy()
          settle()
        },
        script.seconds * 1_000 + GRACE_MS,
      )
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
      refuse(cause as Error)
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
