import type { Machine } from '@trainyard/machines/contract/machine.ts'
import type { Podman } from './podman.ts'
import { retryUntil, type ProxyClient } from './proxy-client.ts'

export interface KillOptions {
  readonly podman: Podman
  readonly root: ProxyClient
  readonly admin: ProxyClient
  readonly machine: Machine
  readonly training: string
}

export interface Row {
  readonly cells: readonly [killed: string, then: string, seconds: string, limit: string]
  readonly isWithinLimit: boolean
}

const API_SECONDS = 5
const DATABASE_SECONDS = 10
const STUCK_SECONDS = 120

export async function killEachPart(options: KillOptions): Promise<Row[]> {
  const { podman, root, admin, machine, training } = options
  const rows: Row[] = []
  const addRow = (killed: string, event: string, ms: number, limit: number) => {
    const isWithinLimit = ms <= limit * 1000
    rows.push({
      cells: [killed, event, (ms / 1000).toFixed(1), `${limit}${isWithinLimit ? '' : ' OVER'}`],
      isWithinLimit,
    })
  }
  const events = `/azure/machines/events?trainingName=${training}`
  const power = (operation: 0 | 1) =>
    admin.call('PATCH', '/azure/machines', [
      { operation },
      { name: machine.name, resourceGroup: machine.resourceGroup },
    ])
  const hasStatus = (status: string) => async () => {
    const { body } = await admin.call('GET', `/azure/machines?trainingName=${training}`)
    return (body as Machine[])[0]!.status === status
  }

  let [stream, page] = [await admin.listen(events), await admin.terminal(machine.name)]
  page.type('echo through-the-proxy\n')
  await retryUntil(
    async () => page.printed().includes('\nthrough-the-proxy') || page.printed().includes('\rthrough-the-proxy'),
  )
  console.log('Signed in through the proxy with TLS, event stream and terminal open.')

  for (const name of ['api1', 'api2']) {
    const calls = makeSteadyChanges(root)
    await podman.kill(name)
    const [healthyMs] = await retryUntil(() => podman.healthy(name))
    addRow(name, 'replies again', healthyMs, API_SECONDS)
    const [terminalMs, opened] = await retryUntil(() => admin.terminal(machine.name))
    page.close()
    page = opened
    stream.close()
    stream = await admin.listen(events)
    addRow(name, 'new terminal has a prompt', healthyMs + terminalMs, API_SECONDS)
    const { longestMs, failed, made: sentCount } = await calls.end()
    addRow(name, `calls through the proxy succeed (${failed} of ${sentCount} failed)`, longestMs, API_SECONDS)
  }

  await podman.kill('worker1')
  await power(0)
  const [stopped] = await retryUntil(hasStatus('Stopped'))
  addRow('worker1', 'the other worker completes a later command', stopped, STUCK_SECONDS)
  if (stream.events.length === 0) throw new Error('The event stream reported no change.')
  const [recoveryMs] = await retryUntil(() => podman.healthy('worker1'))
  addRow('worker1', 'healthy again', stopped + recoveryMs, STUCK_SECONDS)

  const calls = makeSteadyChanges(root)
  await retryUntil(async () => calls.acknowledged.length > 10)
  await podman.kill('database')
  await retryUntil(async () => calls.failed() > 0)
  const before = calls.acknowledged.length
  await retryUntil(async () => calls.acknowledged.length > before + 10)
  const { longestMs, failed, made: sentCount, acknowledged } = await calls.end()
  addRow('database', `started again, changes succeed (${failed} of ${sentCount} failed)`, longestMs, DATABASE_SECONDS)
  await power(1)
  addRow('database', 'a later command is completed', (await retryUntil(hasStatus('Running')))[0], STUCK_SECONDS)
  const { body } = await root.call('GET', '/admin/organization')
  const stored = new Set((body as { organization: string[] }).organization)
  const lostChanges = acknowledged.filter((name) => !stored.has(name))
  console.log(`Acknowledged changes: ${acknowledged.length}, lost: ${lostChanges.length}.`)
  if (lostChanges.length > 0) throw new Error(`Lost: ${lostChanges.join(', ')}`)

  const query = 'select distinct address from audit'
  const addresses = await podman.exec('database', 'psql', '-U', 'trainyard', '-tAc', query)
  console.log(`Client addresses in the audit: ${addresses.split('\n').filter(Boolean).join(', ')}.`)
  stream.close()
  page.close()
  return rows
}

function makeSteadyChanges(root: ProxyClient) {
  const acknowledged: string[] = []
  let [sentCount, failed, longestMs, last] = [0, 0, 0, performance.now()]
  const stopping = new AbortController()
  const changing = (async () => {
    while (!stopping.signal.aborted) {
      const organization = `Steady ${performance.now()}`
      const { status } = await root.call('POST', '/admin/organization', { organization })
      sentCount++
      if (status !== 200) {
        failed++
        continue
      }
      acknowledged.push(organization)
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }
  })()
  return {
    acknowledged,
    failed: () => failed,
    async end() {
      stopping.abort()
      await changing
      return { made: sentCount, failed, longestMs: longestMs, acknowledged }
    },
  }
}
