import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { descendantsOf } from '../../scripts/descendants.ts'
import { median, table } from './figures.ts'

/**
 * Measures `npm start`, first in an empty folder (cold) and then again (warm): seconds to the login page and to the end
 * after Ctrl-C, and memory at rest. With `--before FOLDER` also another version, in alternating runs.
 */
const { values: options } = parseArgs({
  options: {
    /** Folder with the sources of another version, with node_modules and a built web app. */
    before: { type: 'string' },
    runs: { type: 'string', default: '5' },
  },
})
const RUNS = Number(options.runs)
const START_LIMIT_MS = 300_000
/** Connections that the start needed are closed after 30 s. */
const REST_MS = 40_000

const now = fileURLToPath(new URL('../../', import.meta.url))
const before = options.before === undefined ? null : resolve(process.env['INIT_CWD'] ?? '.', options.before)
const versions = [...(before === null ? [] : [{ name: 'before', sources: before }]), { name: 'now', sources: now }]

const FIGURES = ['cold start, s', 'warm start, s', 'Ctrl-C, s', 'processes of Node', 'memory (Pss), MB'] as const
type Figures = Readonly<Record<(typeof FIGURES)[number], number>>

const all = new Map<string, Figures[]>(versions.map(({ name }) => [name, []]))
for (let run = 0; run < RUNS; run++) {
  for (const { name, sources } of versions) all.get(name)!.push(await measure(sources))
}
const rows = FIGURES.map((figure) => {
  const medians = versions.map(({ name }) => median(all.get(name)!.map((each) => each[figure])))
  const ratio = medians.length === 2 ? [(medians[1]! / medians[0]!).toFixed(2)] : []
  return [figure, ...medians.map((each) => each.toFixed(1)), ...ratio]
})
console.log(table(['', ...versions.map(({ name }) => name), ...(before === null ? [] : ['now/before'])], rows))
console.log(`Medians of ${RUNS} runs; load average ${loadavg()[0]!.toFixed(1)}.`)

async function measure(sources: string): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
  chmodSync(folder, 0o755)
  try {
    const cold = await startOnce(sources, folder, 0)
    const warm = await startOnce(sources, folder, REST_MS)
    return {
      'cold start, s': cold.seconds,
      'warm start, s': warm.seconds,
      'Ctrl-C, s': warm.ending,
      'processes of Node': warm.processes,
      'memory (Pss), MB': warm.memory,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startOnce(sources: string, folder: string, restMs: number) {
  const [port, emulator, mail] = [await freePort(), await freePort(), await freePort()]
  const begun = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: sources,
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      TRAINYARD_DATA: folder,
      PORT: `${port}`,
      EMULATOR_PORT: `${emulator}`,
      EMULATOR_SMTP_PORT: `${mail}`,
    },
  })
  try {
    await untilServed(`http://127.0.0.1:${port}/login`)
    const seconds = (performance.now() - begun) / 1_000
    await pause(restMs)
    const descendants = processesOf(child.pid!).filter(({ command }) => !command.startsWith('npm'))
    const memory = descendants.reduce((sum, { pid }) => sum + pssOf(pid), 0)
    const processes = descendants.filter(({ command }) => /^\S*node\b/.test(command)).length
    const interrupted = performance.now()
    process.kill(-child.pid!, 'SIGINT')
    await Promise.all([once(child, 'exit'), untilEnded(descendants.map(({ pid }) => pid))])
    return { seconds, memory, processes, ending: (performance.now() - interrupted) / 1_000 }
  } catch (error) {
    child.kill('SIGTERM')
    throw error
  }
}

async function untilServed(url: string): Promise<void> {
  for (const end = Date.now() + START_LIMIT_MS; Date.now() < end; await pause(10)) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
  }
  throw new Error(`${url} is not served.`)
}

async function untilEnded(pids: readonly number[]): Promise<void> {
  while (pids.some((pid) => existsSync(`/proc/${pid}`))) await pause(20)
}

function processesOf(npm: number) {
  return descendantsOf(npm).map((pid) => ({
    pid,
    command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
  }))
}

function pssOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1_024
}
