import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TICKS_A_SECOND = 100

/** Returns a function that answers how many cores API, PostgreSQL and this process used since it was last asked. */
export function processorOf(api: number, dataDir: string): () => Readonly<Record<'api' | 'postgres' | 'load', number>> {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  const now = () => {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => statOf(Number(pid)) ?? [])
    const sum = (of: (stat: Stat) => boolean) => all.filter(of).reduce((ticks, stat) => ticks + stat.ticks, 0)
    return {
      at: performance.now(),
      api: sum(({ pid }) => pid === api),
      postgres: sum(({ pid, parent }) => pid === postmaster || parent === postmaster),
      load: sum(({ pid }) => pid === process.pid),
    }
  }
  let last = now()
  return () => {
    const before = last
    last = now()
    const seconds = (last.at - before.at) / 1_000
    const cores = (who: 'api' | 'postgres' | 'load') => (last[who] - before[who]) / TICKS_A_SECOND / seconds
    return { api: cores('api'), postgres: cores('postgres'), load: cores('load') }
  }
}

interface Stat {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
}

/** One process; null: it has just ended. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Its name, in brackets, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return null
  }
}
