import type { Duplex } from 'node:stream'
import type { Client, ClientChannel } from 'ssh2'
import type { Routes } from '@trainyard/templates/server/machine-address.ts'
import type { Shell, ShellEvents, Shells, ShellTarget, Size } from './shell.ts'
import { ShellError } from '@trainyard/machines/server/ssh/shell-error.ts'
import { dial } from '@trainyard/machines/server/ssh/dial.ts'

const LOGIN_MS = 15_000
/** SSH keep-alive interval, which detects a machine that vanished without closing the connection. */
const KEEPALIVE_MS = 15_000
const TERMINAL = 'xterm-256color'

export function sshShells(routes: Routes): Shells {
  return {
    async getHostKey(at, signal) {
      const { default: ssh2 } = await import('ssh2')
      const sock = await dial(at, routes, signal)
      const client = new ssh2.Client()
      const stop = () => client.destroy()
      signal.addEventListener('abort', stop, { once: true })
      try {
        return await readHostKey(client, at.address, sock)
      } finally {
        signal.removeEventListener('abort', stop)
        client.destroy()
      }
    },

    connect: (at, signal) => dial(at, routes, signal),

    async open(target, size, events, signal) {
      // The library is imported on first use, because most API processes open no terminal.
      const { default: ssh2 } = await import('ssh2')
      const sock = await dial(target, routes, signal)
      const client = new ssh2.Client()
      const stop = () => client.destroy()
      signal.addEventListener('abort', stop, { once: true })
      try {
        await logIn(client, target, sock)
        return await openShell(client, size, events)
      } catch (error) {
        client.destroy()
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

function readHostKey(client: Client, address: string, sock: Duplex): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) =>
      reject(new ShellError('unreachable', `Cannot read the host key of ${address}: ${cause.message}`, { cause }))
    client.on('error', fail)
    client.once('close', () => fail(new Error('the connection was closed')))
    client.connect({
      sock,
      username: 'nobody',
      readyTimeout: LOGIN_MS,
      hostVerifier: (offered: Buffer) => {
        resolve(offered)
        return false
      },
    })
  })
}

/** Returns a connection to a machine's account, which ends with the signal. @throws ShellError */
export async function connectAccount(target: ShellTarget, routes: Routes, signal: AbortSignal): Promise<Client> {
  const { default: ssh2 } = await import('ssh2')
  const sock = await dial(target, routes, signal)
  const client = new ssh2.Client()
  const stop = () => client.destroy()
  signal.addEventListener('abort', stop, { once: true })
  client.once('close', () => signal.removeEventListener('abort', stop))
  try {
    await logIn(client, target, sock)
    return client
  } catch (error) {
    client.destroy()
    throw error
  }
}

function logIn(client: Client, target: ShellTarget, sock: Duplex): Promise<void> {
  return new Promise((resolve, reject) => {
    let otherKey = false
    const fail = (cause: Error & { level?: string }) => {
      const kind = otherKey ? 'otherKey' : cause.level === 'client-authentication' ? 'loginRefused' : 'unreachable'
      reject(new ShellError(kind, `Cannot log in to ${target.address}: ${cause.message}`, { cause }))
    }
    client.on('error', fail)
    client.once('close', () => fail(new Error('the connection was closed')))
    client.once('ready', resolve)
    // Debian's OpenSSH requests the password this way if PAM handles authentication.
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) => {
      answer(prompts.map(() => target.password))
    })
    client.connect({
      sock,
      username: target.account,
      password: target.password,
      tryKeyboard: true,
      readyTimeout: LOGIN_MS,
      keepaliveInterval: KEEPALIVE_MS,
      hostVerifier: (shown: Buffer, verified: (valid: boolean) => void) => {
        target.isTrustedKey(shown).then(
          (its) => {
            otherKey = !its
            verified(its)
          },
          () => verified(false),
        )
      },
    })
  })
}

function openShell(client: Client, { columns, rows }: Size, events: ShellEvents): Promise<Shell> {
  return new Promise((resolve, reject) => {
    client.shell({ term: TERMINAL, cols: columns, rows }, (cause, channel) => {
      if (cause !== undefined) {
        reject(new ShellError('unreachable', `Cannot open a shell: ${cause.message}`, { cause }))
        return
      }
      forwardEvents(client, channel, events)
      resolve({
        write: (bytes) => channel.write(bytes),
        resize: (size) => channel.setWindow(size.rows, size.columns, 0, 0),
        pause: () => void channel.pause(),
        resume: () => void channel.resume(),
        close: () => client.destroy(),
      })
    })
  })
}

function forwardEvents(client: Client, channel: ClientChannel, events: ShellEvents): void {
  let left = false
  channel.on('data', (bytes: Buffer) => events.printed(bytes))
  channel.stderr.on('data', (bytes: Buffer) => events.printed(bytes))
  channel.on('drain', () => events.drained())
  // A shell that exits reports its code. A machine that shuts down does not.
  channel.on('exit', (code: number | null) => {
    left = code !== null
  })
  channel.on('error', () => client.destroy())
  channel.on('close', () => client.end())
  client.once('close', () => events.ended(left ? 'left' : 'cut'))
}
