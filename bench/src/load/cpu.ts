import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TICKS_A_SECOND = 100

export function cpuUsage(api: number, dataDir: string): () => Readonly<Record<'api' | 'postgres' | 'load', number>> {
  return coresUsed({ api, postgres: postmasterOf(dataDir), load: process.pid })
}

const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0])

/**
 * Returns a function that returns the number of CPU cores used since its last call. The number for `postgres` includes
 * its child processes.
 */
export function coresUsed<Name extends string>(
  pids: Readonly<Record<Name, number>>,
): () => Readonly<Record<Name, number>> {
  const names = Object.keys(pids) as Name[]
  const now = () => ({ at: performance.now(), ticks: ticksOf(pids) })
  let last = now()
  return () => {
    const before = last
    last = now()
    const seconds = (last.at - before.at) / 1_000
    return record(names, (name) => (last.ticks[name] - before.ticks[name]) / TICKS_A_SECOND / seconds)
  }
}

/** Returns the CPU time that an API and the PostgreSQL of its data folder have used, in seconds. */
export function cpuSeconds(api: number, dataDir: string): Readonly<Record<'api' | 'postgres', number>> {
  const ticks = ticksOf({ api, postgres: postmasterOf(dataDir) })
  return { api: ticks.api / TICKS_A_SECOND, postgres: ticks.postgres / TICKS_A_SECOND }
}

function ticksOf<Name extends string>(processIds: Readonly<Record<Name, number>>): Readonly<Record<Name, number>> {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statOf(Number(pid)) ?? [])
  return record(Object.keys(processIds) as Name[], (name) => {
    const own = all.find(({ pid }) => pid === processIds[name])
    const children = name === 'postgres' ? all.filter(({ parent }) => parent === processIds[name]) : []
    // The time of exited children is counted for their parent.
    const ended = name === 'postgres' ? (own?.ofEnded ?? 0) : 0
    return children.reduce((sum, { ticks }) => sum + ticks, (own?.ticks ?? 0) + ended)
  })
}

const record = <Name extends string>(names: readonly Name[], pidOf: (name: Name) => number) =>
  Object.fromEntries(names.map((name) => [name, pidOf(name)])) as Record<Name, number>

interface Stat {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
  readonly ofEnded: number
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name in brackets may contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [ticks, ofEnded] = [Number(fields[11]) + Number(fields[12]), Number(fields[13]) + Number(fields[14])]
    return { pid, parent: Number(fields[1]), ticks, ofEnded }
  } catch {
    return null
  }
}
