import { expect, test } from 'vitest'
import { emulatorCredential } from './credentials.ts'
import { azureSandboxes } from '@trainyard/sandbox-azure/server/groups.ts'
import { graphIdentity } from '@trainyard/sandbox-azure/server/identity.ts'
import { SANDBOX_ACTIONS } from './azure-permissions.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'

const sandbox = { id: '0198c0de-0000-7000-8000-000000000001', group: '0198c0de-one-sandbox' }
const user = { id: sandbox.id, signInName: 'asha@labs.test', displayName: 'asha', personalEmail: 'asha@home.test' }

const emulator = await sharedEmulator()

async function post(path: string, body: object): Promise<void> {
  expect((await emulator.control('POST', path, body)).status).toBeLessThan(300)
}

test('lists permissions that are sufficient to create, meter, stop and delete a sandbox', async () => {
  await post('/_permissions', { permissions: [{ actions: SANDBOX_ACTIONS }] })
  const signal = AbortSignal.timeout(20_000)
  const credential = emulatorCredential()
  const wrongSubscription = {
    credential,
    emulatorUrl: emulator.url,
    subscriptionId: '00000000-0000-4000-8000-000000000001',
  }
  const groups = azureSandboxes(wrongSubscription)
  const { objectId } = await graphIdentity(wrongSubscription).createUser(
    { ...user, firstPassword: 'Correct-Horse-7' },
    signal,
  )

  const endsAt = new Date(Date.now() + 3_600_000)
  await groups.createGroup({ ...sandbox, location: 'southindia', user: user.signInName, endsAt }, signal)
  await groups.limitSizes(sandbox, ['Standard_B1s'], signal)
  await groups.setAccess(sandbox, { level: 'full', objectId }, signal)
  await post(`/_as/${user.signInName}/machines`, { resourceGroup: sandbox.group, name: 'vm1' })
  expect(await groups.listResources(sandbox, signal)).toContainEqual(
    expect.objectContaining({ kind: 'machine', billed: true }),
  )
  await groups.stopMachine(sandbox, 'vm1', signal)
  expect(await groups.listResources(sandbox, signal)).toContainEqual(
    expect.objectContaining({ kind: 'machine', billed: false }),
  )
  await groups.setAccess(sandbox, { level: 'none' }, signal)
  await groups.deleteGroup(sandbox, signal)
  expect(await groups.listResources(sandbox, signal)).toBeNull()
})
