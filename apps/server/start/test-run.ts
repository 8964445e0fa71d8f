import { type ChildProcess, spawn } from 'node:child_process'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Run {
  readonly child: ChildProcess
  output(): string
  /** Resolves to the exit code when all output has been read, or to the name of the signal that killed the process. */
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
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    // The process has a separate process group, so that a test can signal all of it as Ctrl-C does.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code) => resolve(code ?? 'nothing'))
    // A killed supervisor's output stays open while its children are running.
    child.on('exit', (_code, signal) => signal !== null && resolve(signal))
  })
  return { child, output: () => text, ended }
}

export async function until<T>(
  what: string,
  condition: () => Promise<T | false> | T | false,
  limit = 120_000,
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
  until(`it is ready; it said: ${run.output()}`, () => run.output().includes('Ready.') && run.output())

/** Returns the process ID that the server on the port reports, or false. Avoids fetch, which is slow to load. */
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
