import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { median, table } from './figures.ts'
import { cpuSecondsOf } from './load/cpu.ts'
import { memoryOf } from './load/memory.ts'

/** Measures CPU time and memory of each process of a warm `npm start`, also of another version in alternating runs. */
const { values: options } = parseArgs({
  options: {
    /** Folder with the sources of another version, with node_modules. */
    before: { type: 'string' },
    runs: { type: 'string', default: '5' },
  },
})
const RUNS = Number(options.runs)
const START_LIMIT_MS = 300_000
const PROCESSES = ['supervisor', 'api', 'worker', 'emulator'] as const
type Process = (typeof PROCESSES)[number]

const now = fileURLToPath(new URL('../../', import.meta.url))
const before = options.before === undefined ? null : resolve(process.env['INIT_CWD'] ?? '.', options.before)
const versions = [...(before === null ? [] : [{ name: 'before', sources: before }]), { name: 'now', sources: now }]

interface Figures {
  readonly cpu: Readonly<Record<Process, number>>
  readonly memory: Readonly<Record<Process, number>>
}

const all = new Map<string, Figures[]>(versions.map(({ name }) => [name, []]))
const folders = new Map(versions.map(({ name }) => [name, mkdtempSync(join(tmpdir(), 'trainyard-bench-'))]))
try {
  for (let run = 0; run <= RUNS; run++) {
    for (const { name, sources } of versions) {
      const folder = folders.get(name)!
      chmodSync(folder, 0o755)
      const figures = await startOnce(sources, folder)
      // The first run creates the database, the demo data and the compile cache.
      if (run > 0) all.get(name)!.push(figures)
    }
  }
} finally {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true })
}
for (const kind of ['cpu', 'memory'] as const) {
  const rows = [...PROCESSES, 'all' as const].map((part) => {
    const figuresOf = (name: string) =>
      all
        .get(name)!
        .map((each) =>
          part === 'all' ? PROCESSES.reduce((sum, processName) => sum + each[kind][processName], 0) : each[kind][part],
        )
    const medians = versions.map(({ name }) => median(figuresOf(name)))
    const ratio = medians.length === 2 ? [(medians[1]! / medians[0]!).toFixed(2)] : []
    return [part, ...medians.map((figure) => figure.toFixed(kind === 'cpu' ? 2 : 0)), ...ratio]
  })
  const label = kind === 'cpu' ? 'CPU seconds until ready' : 'MB when ready'
  console.log(table([label, ...versions.map(({ name }) => name), ...(before === null ? [] : ['now/before'])], rows))
}
console.log(`Medians of ${RUNS} alternating runs; load average ${loadavg()[0]!.toFixed(1)}.`)

async function startOnce(sources: string, folder: string): Promise<Figures> {
  const [port, emulator, mail] = [await freePort(), await freePort(), await freePort()]
  const child = spawn(process.execPath, ['apps/server/main.ts', 'start'], {
    cwd: sources,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TRAINYARD_DATA: folder,
      PORT: `${port}`,
      EMULATOR_PORT: `${emulator}`,
      EMULATOR_SMTP_PORT: `${mail}`,
      LOG_LEVEL: 'warn',
    },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await ready(child.stdout, port)
    const found = processesOf(child.pid!)
    const figuresOf = (measure: (pid: number) => number) =>
      Object.fromEntries(PROCESSES.map((part) => [part, measure(found[part])])) as Record<Process, number>
    return { cpu: figuresOf(cpuSecondsOf), memory: figuresOf(memoryOf) }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** Resolves when the supervisor prints the address of the portal. */
function ready(output: NodeJS.ReadableStream, port: number): Promise<void> {
  let text = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The portal did not start:\n${text}`)), START_LIMIT_MS)
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (!text.includes(`:${port}`)) return
      clearTimeout(timer)
      resolve()
    })
  })
}

function processesOf(supervisor: number): Record<Process, number> {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .flatMap((pid) => {
      try {
        const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
        return parent === supervisor ? [{ pid, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }] : []
      } catch {
        return []
      }
    })
  const findProcess = (pattern: RegExp) => {
    const pid = children.find(({ command }) => pattern.test(command))?.pid
    if (pid === undefined) throw new Error(`No process matches ${pattern.source}.`)
    return pid
  }
  return {
    supervisor,
    api: findProcess(/\0api\b/),
    worker: findProcess(/\0worker\b/),
    emulator: findProcess(/emulator/),
  }
}
