import { expect, test } from 'vitest'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'
import { sharedEmulatedAzure } from '@trainyard/platform/test/shared.ts'

const azure = await sharedEmulatedAzure()

test('aborts a registration without a response together with its request', async () => {
  await azure.control('POST', '/_providers', { namespace: 'Microsoft.Compute', registered: false })
  await azure.fault({ kind: 'hang', operation: 'Providers_Register' })
  const create = azure.machines().startMachine(machineSpec(2), AbortSignal.timeout(1_000))
  await expect(create).rejects.toMatchObject({ kind: 'unreachable' })
  await azure.clearFaults()
})

test('registers a missing resource provider once, and then starts the machine', async () => {
  for (const namespace of ['Microsoft.Network', 'Microsoft.Compute']) {
    await azure.control('POST', '/_providers', { namespace, registered: false })
  }
  const cloud = azure.machines()
  const before = (await azure.truth()).calls.Providers_Register ?? 0
  const create = () => cloud.createMachine(machineSpec(1), AbortSignal.timeout(20_000))
  await expect(create()).rejects.toMatchObject({
    kind: 'conflict',
    final: false,
    maxRetrySeconds: 30,
    message: expect.stringContaining("not registered to use namespace 'Microsoft.Network'"),
  })
  for (let turn = 0; turn < 5; turn++) {
    const created = await create().catch(() => null)
    if (created !== null) break
  }
  const look = await cloud.getMachine(machineSpec(1), AbortSignal.timeout(20_000))
  expect(look.seen.state).toBe('running')
  expect((await azure.truth()).calls.Providers_Register).toBe(before + 2)
})
