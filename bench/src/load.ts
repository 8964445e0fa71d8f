import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startApi } from './api-process.ts'
import { table } from './figures.ts'
import { memoryOf } from './load/memory.ts'
import { mixOf } from './load/mix.ts'
import { closeConnections, openLoop, type Step } from './load/open-loop.ts'
import { cpuUsage } from './load/cpu.ts'
import { openStreams } from './load/streams.ts'
import { signInCalls } from './load/sign-in-calls.ts'
import { seed } from './seed/fill.ts'

/** Measures an API under an open loop: calls are sent when due, while event streams are open and users sign in. */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    streams: { type: 'string', default: '2000' },
    logins: { type: 'string', default: '500' },
    rates: { type: 'string', default: '20,50,100,200,400,700,1000' },
  },
})
const [SECONDS, STREAMS, SIGN_INS] = [Number(options.seconds), Number(options.streams), Number(options.logins)]
const SIGN_IN_SECONDS = 60
const BUSY = 4

const folder = mkdtempSync(join(tmpdir(), 'trainyard-bench-'))
chmodSync(folder, 0o755)
try {
  await seed(folder, { organisations: 20, busy: BUSY }, () => {})
  const portal = await startApi(folder)
  try {
    const coresUsed = cpuUsage(portal.pid, folder)
    const mixedCalls = await mixOf(portal, BUSY)
    const rows: string[][] = []
    const measure = async (name: string, callback: () => Promise<Step>) => {
      coresUsed()
      const { sent, answeredPerSecond, p50, p99, errors } = await callback()
      const cores = coresUsed()
      const all = [`${sent}`, answeredPerSecond.toFixed(0), p50.toFixed(0), p99.toFixed(0), `${errors}`]
      const coreFigures = [cores.api, cores.postgres, cores.load].map((each) => each.toFixed(2))
      const row = [name, ...all, ...coreFigures, `${memoryOf(portal.pid)}`]
      rows.push(row)
      console.log(row.join('  '))
    }
    const callAt = (call: number) => mixedCalls[call % mixedCalls.length]!
    for (const rate of options.rates.split(',').map(Number))
      await measure(`${rate} calls per second`, () => openLoop(rate, SECONDS, callAt))
    const streams = await openStreams(portal, STREAMS)
    await measure(`100 calls per second, ${streams.open} streams`, () => openLoop(100, SECONDS, callAt))
    streams.close()
    const logins = await signInCalls(portal, SIGN_INS)
    await measure(`${SIGN_INS} sign-ins in ${SIGN_IN_SECONDS} s`, () =>
      openLoop(SIGN_INS / SIGN_IN_SECONDS, SIGN_IN_SECONDS, (call) => logins[call]!),
    )
    const header = ['what', 'sent', 'replies per second', 'p50 ms', 'p99 ms', 'errors']
    console.log(table([...header, 'api cores', 'postgres', 'load generator', 'api MB'], rows))
    console.log(`${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}.`)
  } finally {
    await closeConnections()
    await portal.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
