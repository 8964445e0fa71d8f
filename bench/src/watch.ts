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
import { coresOf } from './load/processor.ts'
import { followLooks } from './watch/looks.ts'
import { makeMachines } from './watch/world.ts'
import { sessionOf } from './session-of.ts'

/**
 * A whole portal with one worker that watches 20,000 running machines at the emulator, over its own protocol. Each minute
 * some of them are powered off, or on again, behind the portal's back. The worker is to use a quarter of a core at most,
 * to have looked at each machine within any minute, and so to show each change within one.
 */
const { values: given } = parseArgs({
  options: {
    machines: { type: 'string', default: '20000' },
    minutes: { type: 'string', default: '4' },
    moved: { type: 'string', default: '100' },
  },
})
const [MACHINES, MINUTES, MOVED] = [Number(given.machines), Number(given.minutes), Number(given.moved)]
const LIMIT_CORES = 0.25
const LIMIT_SECONDS = 60
/** Minutes before it is measured, in which all is read and written for the first time. */
const WARM_UP = 2
/** Machines of one page of the emulator's lists; a look at all reads two lists. */
const PAGE = 200

/** Next to nothing, and not 0: a worker keeps to Azure's pace of requests unless its emulator has no delays at all. */
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
  console.log(`${running[0]!.count} machines run; ${WARM_UP} minutes go by before it is measured.`)
  await pause(WARM_UP * 60_000)

  const pids = {
    worker: processOf('worker', portal.pid, portal.dataDir)!,
    postgres: processOf('postgres', portal.pid, portal.dataDir)!,
    api: processOf('api', portal.pid, portal.dataDir)!,
    emulator: processOf('emulator', portal.pid, portal.dataDir)!,
  }
  const looks = await followLooks(databaseUrl)
  const used = coresOf(pids)
  const rows: string[][] = []
  const all: { worker: number; gaps: readonly number[]; looks: number }[] = []
  let calls = await listCalls()
  for (let minute = 1; minute <= MINUTES; minute++) {
    const began = performance.now()
    // Those that go off in one minute come back in the next. They lie on as many pages as they can.
    const set = Math.ceil(minute / 2)
    const moved = Array.from({ length: MOVED }, (_, place) => {
      return `${first}-${1 + ((Math.floor((place * MACHINES) / MOVED) + set * 7) % (MACHINES - 1))}`
    })
    const off = minute % 2 === 1
    for (const name of moved) {
      await portal.tellEmulator(`/_machines/${name}/${off ? 'deallocate' : 'start'}`, {})
      looks.expect([name], off ? 'stopped' : 'running')
    }
    await pause(Math.max(0, began + 60_000 - performance.now()))
    const cores = used()
    const before = calls
    calls = await listCalls()
    const gaps = looks.gaps()
    all.push({ worker: cores.worker, gaps, looks: (calls - before) / pages })
    rows.push([
      `${minute}`,
      ...[cores.worker, cores.postgres, cores.api, cores.emulator].map((each) => each.toFixed(3)),
      all.at(-1)!.looks.toFixed(1),
      gaps.length === 0 ? '-' : Math.max(...gaps).toFixed(1),
      `${memoryOf(pids.worker)}`,
      loadavg()[0]!.toFixed(1),
    ])
    console.log(rows.at(-1)!.join('  '))
  }
  const { seconds, missing } = looks.shown()
  await looks.stop()

  const head = ['minute', 'worker, cores', 'postgres', 'api', 'emulator', 'looks at all', 'longest between, s']
  console.log(table([...head, 'worker MB', 'load'], rows))
  const cores = all.reduce((sum, { worker }) => sum + worker, 0) / all.length
  const looked = all.reduce((sum, { looks: some }) => sum + some, 0)
  // A minute in which none ended was longer than the limit.
  const longest = Math.max(...all.map(({ gaps }) => (gaps.length === 0 ? Infinity : Math.max(...gaps))))
  console.log(
    `The worker used ${(100 * cores).toFixed(1)} % of a core, ${((60 * cores * all.length) / looked).toFixed(2)} s of it ` +
      `for each of ${looked.toFixed(1)} looks at all, which came within ${longest.toFixed(1)} s.`,
  )
  console.log(
    `${seconds.length} changes behind the portal's back were shown after ${median(seconds).toFixed(1)} s (median), ` +
      `${percentile(seconds, 95).toFixed(1)} s (95th percentile), at most ${Math.max(...seconds).toFixed(1)} s; ` +
      `${missing} were not shown in their minute.`,
  )
  console.log(`${availableParallelism()} cores, load of the machine ${loadavg()[0]!.toFixed(1)}.`)
  const within = cores <= LIMIT_CORES && longest <= LIMIT_SECONDS && Math.max(...seconds) <= LIMIT_SECONDS
  console.log(within && missing === 0 ? 'ok' : `OVER: at most ${LIMIT_CORES} of a core and ${LIMIT_SECONDS} s.`)
  if (!within || missing > 0) process.exitCode = 1
} finally {
  await db.end()
  await owner.destroy()
  await portal.stop()
}

/** Pages of lists of all machines that the emulator was ever asked for. */
async function listCalls(): Promise<number> {
  const answer = await fetch(`${portal.emulatorUrl}/_truth?part=calls`)
  const { calls } = (await answer.json()) as { calls: Readonly<Record<string, number>> }
  return calls['VirtualMachines_ListAll'] ?? 0
}
