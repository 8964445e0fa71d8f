import { type ChildProcess, spawn } from 'node:child_process'
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Run {
  readonly child: ChildProcess
  output(): string
  /** Resolves to the exit code when all output has been read, or to the name of the signal that killed the process. */
  readonly ended: Promise<number | string>
}

export interface Ports {
  readonly http: number
  readonly emulator: number
  readonly smtp: number
}

export const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface RunOptions {
  /** Entry of the product. Default: that of this tree. */
  readonly main?: string
  /** Arguments of `npm start`. */
  readonly args?: readonly string[]
  readonly settings?: NodeJS.ProcessEnv
  readonly account?: { readonly uid: number; readonly gid: number }
}

/** Starts the product without demo data, unless the settings say otherwise. */
export function startRun(
  dataDir: string,
  ports: Ports,
  { main = MAIN, args = [], settings = {}, account }: RunOptions = {},
): Run {
  const child = spawn(process.execPath, [main, 'start', ...args], {
    ...account,
    cwd: '/',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      TRAINYARD_DATA: dataDir,
      PORT: String(ports.http),
      EMULATOR_PORT: String(ports.emulator),
      EMULATOR_SMTP_PORT: String(ports.smtp),
      ...settings,
    },
    // The process has a separate process group, so that a test can signal all of it as Ctrl-C does.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'nothing'))
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

/** Returns the output when the portal is ready. @throws Error with the output if it ends before */
export const ready = (run: Run): Promise<string> =>
  until('it is ready', () => {
    if (run.child.exitCode !== null) throw new Error(`It ended with ${run.child.exitCode}:\n${run.output()}`)
    return run.output().includes('Press Ctrl-C') && run.output()
  })

/** Returns true if a server answers on the port. Avoids fetch, which is slow to load. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get(`http://127.0.0.1:${port}/`, { agent: false }, (reply) => {
      reply.resume()
      resolve(true)
    }).on('error', () => resolve(false))
  })
}
