import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TICKS_A_SECOND = 100

export function cpuUsage(api: number, dataDir: string): () => Readonly<Record<'api' | 'postgres' | 'load', number>> {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  return coresUsed({ api, postgres: postmaster, load: process.pid })
}

/** Returns a function that returns the cores used since its last call; `postgres` includes its children. */
export function coresUsed<Name extends string>(
  of: Readonly<Record<Name, number>>,
): () => Readonly<Record<Name, number>> {
  const names = Object.keys(of) as Name[]
  const now = () => {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => statOf(Number(pid)) ?? [])
    const ticksOf = (name: Name) => {
      const own = all.find(({ pid }) => pid === of[name])
      const children = name === 'postgres' ? all.filter(({ parent }) => parent === of[name]) : []
      // The time of exited children is counted for their parent.
      const ended = name === 'postgres' ? (own?.ofEnded ?? 0) : 0
      return children.reduce((sum, { ticks }) => sum + ticks, (own?.ticks ?? 0) + ended)
    }
    return { at: performance.now(), ticks: record(names, ticksOf) }
  }
  let last = now()
  return () => {
    const before = last
    last = now()
    const seconds = (last.at - before.at) / 1_000
    return record(names, (name) => (last.ticks[name] - before.ticks[name]) / TICKS_A_SECOND / seconds)
  }
}

const record = <Name extends string>(names: readonly Name[], of: (name: Name) => number) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>

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
