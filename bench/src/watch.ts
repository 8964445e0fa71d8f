import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPortal } from '@trainyard/e2e/src/portal.ts'
import { connect } from '@trainyard/server/src/db/client.ts'
import { embeddedPlace } from '@trainyard/server/src/db/embedded/place.ts'
import { processOf } from '@trainyard/server/src/start/test-processes.ts'
import { median, percentile, table } from './figures.ts'
import { memoryOf } from './load/memory.ts'
import { coresUsed } from './load/cpu.ts'
import { observePolls } from './watch/poll-observer.ts'
import { makeMachines } from './watch/machines.ts'
import { sessionOf } from '@trainyard/server/test/session-of.ts'

/**
 * Measures a worker with 20,000 machines. The worker must use at most a quarter of a core and poll each machine at
 * least once a minute.
 */
const { values: options } = parseArgs({
  options: {
    machines: { type: 'string', default: '20000' },
    minutes: { type: 'string', default: '4' },
    toggled: { type: 'string', default: '100' },
  },
})
const [MACHINES, MINUTES, TOGGLED] = [Number(options.machines), Number(options.minutes), Number(options.toggled)]
const LIMIT_CORES = 0.25
const LIMIT_SECONDS = 60
const WARM_UP = 2
/** Machines per page of the emulator's lists. A poll of all machines reads two lists. */
const PAGE = 200

/**
 * Factor for the emulator's delays, almost zero. With 0, the worker would not limit its request rate to Azure's rate.
 */
const LATENCY = 0.01

const portal = await startPortal(LATENCY)
const { url: databaseUrl } = embeddedPlace(portal.dataDir)
const owner = connect({ connectionString: databaseUrl }, { size: 1, as: 'owner' })
const db = new pg.Client({ connectionString: databaseUrl })
await db.connect()
try {
  const first = await makeMachines(portal, db, await sessionOf(owner, 'admin@acme.test'), MACHINES)
  const { rows: running } = await db.query<{ count: number }>(
    `select count(*)::int as count from machine where observed = 'running'`,
  )
  const pages = 2 * Math.ceil(running[0]!.count / PAGE)
  console.log(`${running[0]!.count} machines are running. The measurement starts in ${WARM_UP} minutes.`)
  await pause(WARM_UP * 60_000)

  const pids = {
    worker: processOf('worker', portal.pid, portal.dataDir)!,
    postgres: processOf('postgres', portal.pid, portal.dataDir)!,
    api: processOf('api', portal.pid, portal.dataDir)!,
    emulator: processOf('emulator', portal.pid, portal.dataDir)!,
  }
  const observer = await observePolls(databaseUrl)
  const cpuSinceLastCall = coresUsed(pids)
  const rows: string[][] = []
  const all: { worker: number; gaps: readonly number[]; polls: number }[] = []
  let calls = await listCalls()
  for (let minute = 1; minute <= MINUTES; minute++) {
    const startedAt = performance.now()
    const round = Math.ceil(minute / 2)
    const toggled = Array.from({ length: TOGGLED }, (_, index) => {
      return `${first}-${1 + ((Math.floor((index * MACHINES) / TOGGLED) + round * 7) % (MACHINES - 1))}`
    })
    const isOffMinute = minute % 2 === 1
    for (const name of toggled) {
      await portal.postToEmulator(`/_machines/${name}/${isOffMinute ? 'deallocate' : 'start'}`, {})
      observer.expect([name], isOffMinute ? 'stopped' : 'running')
    }
    await pause(Math.max(0, startedAt + 60_000 - performance.now()))
    const cores = cpuSinceLastCall()
    const before = calls
    calls = await listCalls()
    const gaps = observer.gaps()
    all.push({ worker: cores.worker, gaps, polls: (calls - before) / pages })
    rows.push([
      `${minute}`,
      ...[cores.worker, cores.postgres, cores.api, cores.emulator].map((each) => each.toFixed(3)),
      all.at(-1)!.polls.toFixed(1),
      gaps.length === 0 ? '-' : Math.max(...gaps).toFixed(1),
      `${memoryOf(pids.worker)}`,
      loadavg()[0]!.toFixed(1),
    ])
    console.log(rows.at(-1)!.join('  '))
  }
  const { seconds, missing } = observer.results()
  await observer.stop()

  const header = ['minute', 'worker, cores', 'postgres', 'api', 'emulator', 'polls of all', 'longest gap, s']
  console.log(table([...header, 'worker MB', 'load'], rows))
  const cores = all.reduce((sum, { worker }) => sum + worker, 0) / all.length
  const polled = all.reduce((sum, { polls: pollCount }) => sum + pollCount, 0)
  const longestGap = Math.max(...all.map(({ gaps }) => (gaps.length === 0 ? Infinity : Math.max(...gaps))))
  console.log(
    `The worker used ${(100 * cores).toFixed(1)} % of a core. A poll of all machines took ` +
      `${((60 * cores * all.length) / polled).toFixed(2)} s of processor time. The worker polled all machines ` +
      `${polled.toFixed(1)} times, at most ${longestGap.toFixed(1)} s apart.`,
  )
  console.log(
    `${seconds.length} changes at the provider were stored after ${median(seconds).toFixed(1)} s (median), ` +
      `${percentile(seconds, 95).toFixed(1)} s (95th percentile), at most ${Math.max(...seconds).toFixed(1)} s; ` +
      `${missing} were not stored within a minute.`,
  )
  console.log(`${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}.`)
  const isWithinLimits = cores <= LIMIT_CORES && longestGap <= LIMIT_SECONDS && Math.max(...seconds) <= LIMIT_SECONDS
  console.log(isWithinLimits && missing === 0 ? 'ok' : `OVER: at most ${LIMIT_CORES} of a core and ${LIMIT_SECONDS} s.`)
  if (!isWithinLimits || missing > 0) process.exitCode = 1
} finally {
  await db.end()
  await owner.destroy()
  await portal.stop()
}

async function listCalls(): Promise<number> {
  const answer = await fetch(`${portal.emulatorUrl}/_truth?part=calls`)
  const { calls } = (await answer.json()) as { calls: Readonly<Record<string, number>> }
  return calls['VirtualMachines_ListAll'] ?? 0
}
