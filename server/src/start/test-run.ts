import { type ChildProcess, spawn } from 'node:child_process'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A supervisor that a test started, as a process of its own. */
export interface Run {
  readonly child: ChildProcess
  /** All that it said so far, on both outputs. */
  said(): string
  /** Settles with the exit code, once all that it said is there, or with the name of the signal that killed it. */
  readonly ended: Promise<number | string>
}

export interface Ports {
  readonly first: number
  readonly second: number
}

const script = fileURLToPath(new URL('test-supervisor.ts', import.meta.url))

export function startRun(
  dataDir: string,
  ports: Ports,
  options: { manner?: string; account?: { uid: number; gid: number } } = {},
): Run {
  const args = [dataDir, String(ports.first), String(ports.second), ...(options.manner ? [options.manner] : [])]
  const child = spawn(process.execPath, [script, ...args], {
    ...options.account,
    cwd: '/',
    // As the program's own start does it: else each compiles everything anew.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    // A process group of its own, so that a test can do what Ctrl-C does: signal all of it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code) => resolve(code ?? 'nothing'))
    // The outputs of one that was killed stay open as long as its parts live.
    child.on('exit', (_code, signal) => signal !== null && resolve(signal))
  })
  return { child, said: () => text, ended }
}

/** Waits until the condition gives something, at most `limit` ms. */
export async function until<T>(
  what: string,
  condition: () => Promise<T | false> | T | false,
  limit = 30_000,
): Promise<T> {
  const end = Date.now() + limit
  while (Date.now() < end) {
    const found = await condition()
    if (found !== false) return found
    await pause(20)
  }
  throw new Error(`Waited ${limit} ms in vain until ${what}`)
}

export const ready = (run: Run): Promise<string> =>
  until(`it is ready; it said: ${run.said()}`, () => run.said().includes('Ready.') && run.said())

/** The number of the process that answers on the port, or false. Without fetch, which a process takes long to load. */
export function answering(port: number): Promise<number | false> {
  return new Promise((resolve) => {
    get(`http://127.0.0.1:${port}/`, { agent: false }, (reply) => {
      textOf(reply).then(
        (text) => resolve(Number(text)),
        () => resolve(false),
      )
    }).on('error', () => resolve(false))
  })
}
