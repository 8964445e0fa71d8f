import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startCaddy } from '@trainyard/server/start/test-caddy.ts'
import { startApi } from './api-process.ts'
import { percentile, table } from './figures.ts'
import { cpuUsage } from './load/cpu.ts'
import { memoryOf } from './load/memory.ts'
import { mixOf, TRAINING } from './load/mix.ts'
import { closeConnections, openLoop, sendCall } from './load/open-loop.ts'
import { signInCalls } from './load/sign-in-calls.ts'
import { openSlowClients } from './load/slow-clients.ts'
import { openStreams } from './load/streams.ts'
import { seed } from './seed/fill.ts'

/**
 * Measures how an API behind the shipped proxy behaves beyond its capacity. The capacity is the number of calls per second of a closed loop. An
 * open loop then sends multiples of this rate.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    factors: { type: 'string', default: '0.5,1,2,4' },
    /** Sends the calls to the API itself. */
    direct: { type: 'boolean', default: false },
    /** Seconds for which PostgreSQL is stopped with SIGSTOP at the end; 0 to leave it running. */
    stop: { type: 'string', default: '30' },
    /** Numbers of concurrent event streams, idle connections, slow readers, slow writers, and sign-ins. */
    streams: { type: 'string', default: '2000' },
    idle: { type: 'string', default: '5000' },
    slow: { type: 'string', default: '500' },
    logins: { type: 'string', default: '500' },
  },
})
const SECONDS = Number(options.seconds)
const BUSY_ORGANISATIONS = 4
/** Concurrent calls of the closed loop: enough to keep all cores busy. */
const CLOSED = 8
const PROBE_MS = 100
const RECOVERED_MS = 250
const RECOVERED_CALLS = 10

/** Limits that are checked only on an idle machine. */
const LIMITS = { goodput: 0.85, p99Ms: 1_000, memory: 1.3, healthMs: 1_000, recoverySeconds: 2 }

const folder = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
chmodSync(folder, 0o755)
const exceeded: string[] = []
try {
  await seed(folder, { organisations: 20, busy: BUSY_ORGANISATIONS }, () => {})
  const api = await startApi(folder)
  const proxy = options.direct ? null : await startCaddy([Number(new URL(api.url).port)])
  const portal = proxy === null ? api : { ...api, url: `${proxy.url}/api` }
  const coresUsed = cpuUsage(portal.pid, folder)
  const health = { url: `${portal.url}/health/live` }
  try {
    const mixedCalls = await mixOf(portal, BUSY_ORGANISATIONS)
    const callAt = (call: number) => mixedCalls[call % mixedCalls.length]!
    await closedLoop(Math.min(10, SECONDS))
    const atRest = memoryOf(portal.pid)
    const capacity = await closedLoop(SECONDS)
    console.log(`Capacity: ${capacity.toFixed(0)} calls per second with ${CLOSED} at once; ${atRest} MB.`)
    const rows: string[][] = []
    const step = async (label: string, factor: number, rest = atRest) => {
      const probe = probeHealth()
      coresUsed()
      const { sent, answeredPerSecond, p50, p99, errors } = await openLoop(capacity * factor, SECONDS, callAt)
      const healthMs = await probe.end()
      const cores = coresUsed()
      const memory = memoryOf(portal.pid) / rest
      const recoverySeconds = await secondsUntilNormal()
      const figures = [label, `${sent}`, `${errors}`, (answeredPerSecond / capacity).toFixed(2)]
      rows.push([
        ...figures,
        ...[p50, p99, healthMs].map((ms) => ms.toFixed(0)),
        memory.toFixed(2),
        recoverySeconds.toFixed(1),
      ])
      rows.at(-1)!.push(...[cores.api, cores.postgres, cores.load].map((each) => each.toFixed(2)))
      console.log(rows.at(-1)!.join('  '))
      check(`goodput, ${label}`, answeredPerSecond / (capacity * Math.min(1, factor)), LIMITS.goodput, 'least')
      check(`p99, ${label}`, p99, LIMITS.p99Ms, 'most')
      check(`health, ${label}`, healthMs, LIMITS.healthMs, 'most')
      check(`recovery, ${label}`, recoverySeconds, LIMITS.recoverySeconds, 'most')
      check(`memory, ${label}`, memory, LIMITS.memory, 'most')
    }
    const factors = options.factors.split(',').map(Number)
    for (const factor of factors) await step(`${factor} x capacity`, factor)
    const streams = await openStreams(portal, Number(options.streams))
    if (streams.open > 0) {
      const withStreams = memoryOf(portal.pid)
      console.log(`${withStreams} MB with ${streams.open} event streams and no calls.`)
      for (const factor of factors) await step(`${factor} x, ${streams.open} streams`, factor, withStreams)
    }
    streams.close()
    const { session = '' } = mixedCalls[0]!
    for (const [kind, count] of [
      ['idle', Number(options.idle)],
      ['reads slowly', Number(options.slow)],
      ['writes slowly', Number(options.slow)],
    ] as const) {
      if (count === 0) continue
      const slowClients = await openSlowClients(portal, kind, count, { path: `/azure/machines?${TRAINING}`, session })
      await step(`0.5 x, ${slowClients.opened} clients: ${kind}`, 0.5)
      console.log(`${slowClients.stillOpen()} of ${slowClients.opened} connections are still open.`)
      slowClients.close()
    }
    const logins = await signInCalls(portal, Number(options.logins))
    if (logins.length > 0) {
      const storm = Promise.all(logins.map(sendCall))
      await step(`0.5 x, ${logins.length} sign-ins at once`, 0.5)
      const accepted = (await storm).filter((status) => status === 200).length
      console.log(`${accepted} of ${logins.length} sign-ins were accepted.`)
    }
    const stopped = Number(options.stop)
    if (stopped > 0) {
      const postmaster = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
      const load = openLoop(capacity / 2, stopped + 2, callAt)
      const probe = probeHealth()
      process.kill(-processGroupOf(postmaster), 'SIGSTOP')
      await pause(stopped * 1_000)
      process.kill(-processGroupOf(postmaster), 'SIGCONT')
      const healthMs = await probe.end()
      await load
      const recoverySeconds = await secondsUntilNormal()
      const memory = memoryOf(portal.pid) / atRest
      console.log(
        `PostgreSQL stopped for ${stopped} s: health ${healthMs.toFixed(0)} ms, memory ${memory.toFixed(2)}, normal after ${recoverySeconds.toFixed(1)} s.`,
      )
      check('recovery after PostgreSQL was stopped', recoverySeconds, LIMITS.recoverySeconds, 'most')
      check('health while PostgreSQL was stopped', healthMs, LIMITS.healthMs, 'most')
    }
    const header = [
      'offered',
      'sent',
      'refused',
      'goodput/capacity',
      'p50 ms',
      'p99 ms',
      'health p99 ms',
      'memory/rest',
    ]
    console.log(table([...header, 'normal after s', 'api cores', 'postgres', 'load generator'], rows))
    console.log(`${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}.`)

    async function closedLoop(seconds: number): Promise<number> {
      const end = performance.now() + seconds * 1_000
      let calls = 0
      const sendOne = async () => {
        while (performance.now() < end) if ((await sendCall(callAt(calls))) === 200) calls += 1
      }
      await Promise.all(Array.from({ length: CLOSED }, sendOne))
      return calls / seconds
    }

    /** Returns the seconds until ten calls in a row were answered in time, and stops after a minute. */
    async function secondsUntilNormal(): Promise<number> {
      const start = performance.now()
      for (let inTime = 0; inTime < RECOVERED_CALLS && performance.now() - start < 60_000;) {
        const startedAt = performance.now()
        const isNormal = (await sendCall(callAt(inTime))) === 200 && performance.now() - startedAt < RECOVERED_MS
        inTime = isNormal ? inTime + 1 : 0
      }
      return (performance.now() - start) / 1_000
    }
  } finally {
    await closeConnections()
    await proxy?.stop()
    await api.stop()
  }

  /** Calls the liveness probe again and again until `end`, which returns the 99th percentile in ms. */
  function probeHealth() {
    const times: number[] = []
    const ending = new AbortController()
    const probing = (async () => {
      while (!ending.signal.aborted) {
        const startedAt = performance.now()
        await sendCall(health)
        times.push(performance.now() - startedAt)
        await pause(PROBE_MS)
      }
    })()
    return {
      async end(): Promise<number> {
        ending.abort()
        await probing
        return percentile(times, 99)
      },
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (exceeded.length > 0) {
  console.error(`Exceeded on this machine: ${exceeded.join('; ')}.`)
  process.exitCode = 1
}

function check(label: string, figure: number, limit: number, bound: 'least' | 'most'): void {
  if (bound === 'least' ? figure < limit : figure > limit) exceeded.push(`${label} ${figure.toFixed(2)} (${limit})`)
}

/** Process group of the postmaster, which contains all its processes. */
function processGroupOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[2])
}
