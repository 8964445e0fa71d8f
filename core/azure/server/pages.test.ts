import { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline'
import { expect, test } from 'vitest'
import { azureMachines } from './machines.ts'
import { emulatorCredential } from './credentials.ts'

const SUBSCRIPTION = '00000000-0000-4000-8000-000000000001'
const MACHINES = `/subscriptions/${SUBSCRIPTION}/resourceGroups/LABS/providers/Microsoft.Compute/virtualMachines`

/** Returns an HTTP client on which every list has three pages, of which the first two are empty. */
function emptyPages(requests: string[], value: (path: string) => readonly object[]): HttpClient {
  return {
    async sendRequest(request) {
      const url = new URL(request.url)
      requests.push(url.pathname)
      const page = Number(url.searchParams.get('$skiptoken') ?? '0')
      url.searchParams.set('$skiptoken', String(page + 1))
      const body = page < 2 ? { value: [], nextLink: url.href } : { value: value(url.pathname) }
      const headers = createHttpHeaders({ 'content-type': 'application/json', date: new Date().toUTCString() })
      return { request, status: 200, headers, bodyAsText: JSON.stringify(body) }
    },
  }
}

const cloudOn = (wire: HttpClient) =>
  azureMachines({ subscriptionId: SUBSCRIPTION, credential: emulatorCredential(), http: () => wire })
const signal = () => AbortSignal.timeout(10_000)

test('continues after an empty page of machines', async () => {
  const requests: string[] = []
  // Status lists have few fields except the id.
  const statuses = [{ code: 'ProvisioningState/succeeded' }, { code: 'PowerState/running' }]
  const machine = { id: `${MACHINES}/lab-1`, location: 'southindia', properties: { instanceView: { statuses } } }
  const cloud = cloudOn(emptyPages(requests, () => [machine]))
  const seen = []
  for await (const sighting of cloud.listMachines(signal())) seen.push(sighting)
  expect(seen).toMatchObject([{ resourceGroup: 'LABS', name: 'lab-1', seen: { state: 'running' } }])
  expect(requests).toHaveLength(3)
})

test('continues after an empty page of any other list', async () => {
  const requests: string[] = []
  const usage = { name: { value: 'cores' }, currentValue: 1, limit: 10, unit: 'Count' }
  const cloud = cloudOn(emptyPages(requests, (path) => (path.endsWith('/usages') ? [usage] : [])))
  const { limits } = await cloud.getOffers('southindia', signal())
  expect(limits).toEqual([{ family: 'cores', used: 1, allowed: 10 }])
  expect(requests).toHaveLength(9)
})
