import type { HttpClient } from '@azure/core-rest-pipeline'
import { beforeEach, expect, test } from 'vitest'
import { azureSandboxes } from '@trainyard/sandbox-azure/server/groups.ts'
import { azureMachines } from './machines.ts'
import { emulatorCredential } from './credentials.ts'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'

const sent: string[] = []
const seen = (wire: HttpClient): HttpClient => ({
  sendRequest(request) {
    sent.push(new URL(request.url).pathname)
    return wire.sendRequest(request)
  },
})

const emulator = await sharedEmulator()
const settings = {
  subscriptionId: '00000000-0000-4000-8000-000000000001',
  credential: emulatorCredential(),
  emulatorUrl: emulator.url,
  http: seen,
}
const cloud = azureMachines(settings)
const sandboxes = azureSandboxes(settings)
beforeEach(() => void sent.splice(0))

const signal = () => AbortSignal.timeout(20_000)
const refused = { name: 'CloudError', kind: 'refused', message: expect.stringContaining('No request was sent') }

test.each(['..', '.', '', 'a/b', '../other', '%2e%2e', 'a%2fb', 'a?b', 'a#b', 'a\\b', 'a\nb'])(
  'sends no request to Azure about a resource named %j',
  async (name) => {
    const place = { resourceGroup: 'acme-labs', name: 'linux-101-1' }
    const sandbox = { id: '0198c0de-0000-7000-8000-000000000001', group: name }
    const calls = [
      cloud.getMachine({ ...place, name }, signal()),
      cloud.startMachine({ ...place, name }, signal()),
      cloud.deleteMachine({ ...place, name, firstSeenAt: null, isKnownToExist: false }, signal()),
      cloud.deleteSecurityGroup({ ...place, name }, signal()),
      cloud.stopMachine({ ...place, resourceGroup: name }, signal()),
      cloud.createMachine(machineSpec(1, { resourceGroup: name }), signal()),
      sandboxes.getGroup(sandbox, signal()),
      sandboxes.deleteGroup(sandbox, signal()),
      sandboxes.limitSizes(sandbox, ['Standard_B1s'], signal()),
      sandboxes.stopMachine({ ...sandbox, group: 'acme-sandbox' }, name, signal()),
    ]
    for (const ended of await Promise.allSettled(calls)) {
      expect(ended).toMatchObject({ status: 'rejected', reason: refused })
    }
    expect(sent).toEqual([])
  },
)

test('sends a request about a resource with a valid name', async () => {
  const machine = { resourceGroup: 'acme-labs_(2).x', name: 'linux-101-1' }
  expect((await cloud.getMachine(machine, signal())).seen.state).toBe('absent')
  expect(sent).toContainEqual(expect.stringContaining('/resourceGroups/acme-labs_(2).x/'))
})
