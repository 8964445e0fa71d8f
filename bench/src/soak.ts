import { availableParallelism, loadavg } from 'node:os'
import { Agent, get } from 'node:http'
import { parseArgs } from 'node:util'
import { startPortal } from '@trainyard/e2e/src/portal.ts'
import { connect } from '@trainyard/server/src/db/client.ts'
import { embeddedPlace } from '@trainyard/server/src/db/embedded/place.ts'
import { processOf } from '@trainyard/server/src/start/test-processes.ts'
import { table } from './figures.ts'
import { sendCall, type BenchCall, closeConnections, openLoop } from './load/open-loop.ts'
import { memoryOf } from './load/memory.ts'
import { sessionOf } from '@trainyard/server/test/session-of.ts'

/**
 * Measures memory for an hour. The peak of the last quarter may exceed that of the second quarter by at most a tenth.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
    machines: { type: 'string', default: '60' },
  },
})
const [MINUTES, RATE, MACHINES] = [Number(options.minutes), Number(options.rate), Number(options.machines)]
const GROWTH = 1.1
const CONSOLES = 50
const POWERED = 10
const TRAINING = 'Soak'
const LEARNERS = Array.from({ length: MACHINES }, (_, index) => `soak.${index + 1}@acme.test`)
const query = new URLSearchParams({ trainingName: TRAINING })

const portal = await startPortal(0)
const owner = connect({ connectionString: embeddedPlace(portal.dataDir).url }, { size: 1, as: 'owner' })
const listening = new Agent({ maxSockets: Infinity })
const api = `${portal.url}/api`
try {
  const admin = await sessionOf(owner, 'admin@acme.test')
  await call('POST', '/azure/machines', {
    templateName: 'Ubuntu 24.04 Starter',
    email: LEARNERS,
    trainingName: TRAINING,
    allocatedHours: 600,
    createVmCount: MACHINES,
    guacamole: false,
  })
  const calls: BenchCall[] = [
    `/azure/machines?${query}`,
    '/admin/home?organization=Acme+Learning',
    `/azure/billing?${query}`,
    '/user/me',
  ].map((path) => ({
    url: api + path,
    session: admin,
  }))
  for (const [index, email] of LEARNERS.entries()) {
    const session = await sessionOf(owner, email)
    calls.push({ url: api + [`/azure/machines?${query}`, '/user/me', `/azure/billing?${query}`][index % 3]!, session })
    if (index < CONSOLES) listen(session)
  }

  for (const benchCall of calls) {
    const status = await sendCall(benchCall)
    if (status !== 200) throw new Error(`${benchCall.url} answered ${status}`)
  }

  const memorySamples: { api: number; worker: number }[] = []
  const rows: string[][] = []
  for (let minute = 1; minute <= MINUTES; minute++) {
    const [operation, status] = minute % 2 === 0 ? [1, 'Stopped'] : [0, 'Running']
    const machines = (await call('GET', `/azure/machines?${query}`)) as {
      name: string
      resourceGroup: string
      status: string
    }[]
    const machineRefs = machines
      .filter((machine) => machine.status === status)
      .slice(0, POWERED)
      .map(({ name, resourceGroup }) => ({ name, resourceGroup }))
    if (machineRefs.length > 0) await call('PATCH', '/azure/machines', [{ operation }, ...machineRefs])
    const { answeredPerSecond, p99, errors } = await openLoop(RATE, 60, (number) => calls[number % calls.length]!)
    memorySamples.push({ api: memoryIn('api'), worker: memoryIn('worker') })
    const { api: byApi, worker } = memorySamples.at(-1)!
    rows.push([`${minute}`, answeredPerSecond.toFixed(0), p99.toFixed(0), `${errors}`, `${byApi}`, `${worker}`])
    console.log(rows.at(-1)!.join('  '))
  }

  console.log(table(['minute', 'replies per second', 'p99 ms', 'errors', 'api MB', 'worker MB'], rows))
  console.log(`${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}.`)
  const quarter = Math.floor(memorySamples.length / 4)
  for (const part of ['api', 'worker'] as const) {
    const maxMemory = (samples: typeof memorySamples) => Math.max(...samples.map((each) => each[part]))
    const [secondQuarter, lastQuarter] = [
      maxMemory(memorySamples.slice(quarter, 2 * quarter)),
      maxMemory(memorySamples.slice(-quarter)),
    ]
    console.log(
      `${part}: ${secondQuarter} MB in the second quarter, ${lastQuarter} MB in the last, ${(lastQuarter / secondQuarter).toFixed(2)} times.`,
    )
    if (lastQuarter > GROWTH * secondQuarter) process.exitCode = 1
  }

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const reply = await fetch(api + path, {
      method,
      headers: { ...bearer(admin), ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    })
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`)
    return reply.json()
  }
} finally {
  listening.destroy()
  await closeConnections()
  await owner.destroy()
  await portal.stop()
}

function listen(session: string): void {
  get(`${api}/azure/machines/events?${query}`, { agent: listening, headers: bearer(session) })
    .on('response', (reply) => reply.resume())
    .on('error', () => {})
}

function bearer(session: string): Record<string, string> {
  return { authorization: `Bearer ${session}` }
}

function memoryIn(part: 'api' | 'worker'): number {
  return memoryOf(processOf(part, portal.pid, portal.dataDir)!)
}
