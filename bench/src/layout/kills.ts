import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { Podman } from './podman.ts'
import { untilWorks, type Visitor } from './visitor.ts'

export interface Kills {
  readonly podman: Podman
  readonly root: Visitor
  readonly admin: Visitor
  readonly machine: Machine
  readonly training: string
}

export interface Row {
  readonly cells: readonly [killed: string, then: string, seconds: string, limit: string]
  readonly kept: boolean
}

const API_SECONDS = 5
const DATABASE_SECONDS = 10
const STUCK_SECONDS = 120

/** Kills one of each, while an event stream and a terminal are open and somebody changes something all the while. */
export async function kills(at: Kills): Promise<Row[]> {
  const { podman, root, admin, machine, training } = at
  const rows: Row[] = []
  const told = (killed: string, then: string, ms: number, limit: number) => {
    const kept = ms <= limit * 1000
    rows.push({ cells: [killed, then, (ms / 1000).toFixed(1), `${limit}${kept ? '' : ' OVER'}`], kept })
  }
  const events = `/azure/machines/events?trainingName=${training}`
  const power = (operation: 0 | 1) =>
    admin.ask('PATCH', '/azure/machines', [{ operation }, { name: machine.name, resourceGroup: machine.resourceGroup }])
  const is = (status: string) => async () => {
    const { body } = await admin.ask('GET', `/azure/machines?trainingName=${training}`)
    return (body as Machine[])[0]!.status === status
  }

  let [stream, page] = [await admin.listen(events), await admin.terminal(machine.name)]
  page.type('echo through-the-proxy\n')
  await untilWorks(
    async () => page.printed().includes('\nthrough-the-proxy') || page.printed().includes('\rthrough-the-proxy'),
  )
  console.log('Signed in through the proxy with TLS, event stream and terminal open.')

  // One API after the other: one of the two has the terminal.
  for (const name of ['api1', 'api2']) {
    const calls = steady(root)
    await podman.kill(name)
    const [back] = await untilWorks(() => podman.healthy(name))
    told(name, 'it answers again', back, API_SECONDS)
    const [again, opened] = await untilWorks(() => admin.terminal(machine.name))
    page.close()
    page = opened
    stream.close()
    stream = await admin.listen(events)
    told(name, 'a new terminal prompts', back + again, API_SECONDS)
    const { longest, failed, made } = await calls.end()
    told(name, `calls through the proxy go on (${failed} of ${made} failed)`, longest, API_SECONDS)
  }

  await podman.kill('worker1')
  await power(0)
  const [stopped] = await untilWorks(is('Stopped'))
  told('worker1', 'an order given then is done by the other', stopped, STUCK_SECONDS)
  if (stream.events.length === 0) throw new Error('The event stream told nothing of it.')
  const [more] = await untilWorks(() => podman.healthy('worker1'))
  told('worker1', 'it works again', stopped + more, STUCK_SECONDS)

  const calls = steady(root)
  await untilWorks(async () => calls.acknowledged.length > 10)
  await podman.kill('database')
  await untilWorks(async () => calls.failed() > 0)
  await podman.exec('standby', 'psql', '-U', 'trainyard', '-c', 'select pg_promote()')
  const before = calls.acknowledged.length
  await untilWorks(async () => calls.acknowledged.length > before + 10)
  const { longest, failed, made, acknowledged } = await calls.end()
  told('primary', `the standby is promoted, changes go on (${failed} of ${made} failed)`, longest, DATABASE_SECONDS)
  await power(1)
  told('primary', 'an order given then is done', (await untilWorks(is('Running')))[0], STUCK_SECONDS)
  const { body } = await root.ask('GET', '/admin/organization')
  const kept = new Set((body as { organization: string[] }).organization)
  const lost = acknowledged.filter((name) => !kept.has(name))
  console.log(`Acknowledged by the primary or its standby: ${acknowledged.length}, lost: ${lost.length}.`)
  if (lost.length > 0) throw new Error(`Lost: ${lost.join(', ')}`)

  const query = 'select distinct address from audit'
  const addresses = await podman.exec('standby', 'psql', '-U', 'trainyard', '-tAc', query)
  console.log(`People's addresses in the audit: ${addresses.split('\n').filter(Boolean).join(', ')}.`)
  stream.close()
  page.close()
  return rows
}

/** Changes one thing after another, and knows which were acknowledged and how long none was. */
function steady(root: Visitor) {
  const acknowledged: string[] = []
  let [made, failed, longest, last] = [0, 0, 0, performance.now()]
  const stopping = new AbortController()
  const work = (async () => {
    while (!stopping.signal.aborted) {
      const organization = `Steady ${performance.now()}`
      const { status } = await root.ask('POST', '/admin/organization', { organization })
      made++
      if (status !== 200) {
        failed++
        continue
      }
      acknowledged.push(organization)
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
  })()
  return {
    acknowledged,
    failed: () => failed,
    async end() {
      stopping.abort()
      await work
      return { made, failed, longest, acknowledged }
    },
  }
}
