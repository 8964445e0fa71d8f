import { expect, test } from 'vitest'
import { machineSpec } from '#test/far-end.ts'
import { sharedFarEnd } from '#test/shared.ts'

const far = await sharedFarEnd()

test('aborts a registration without a response together with its request', async () => {
  await far.control('POST', '/_providers', { namespace: 'Microsoft.Compute', registered: false })
  await far.fault({ kind: 'hang', operation: 'Providers_Register' })
  const asked = far.cloud().startMachine(machineSpec(2), AbortSignal.timeout(1_000))
  await expect(asked).rejects.toMatchObject({ kind: 'unreachable' })
  await far.clearFaults()
})

test('registers a missing resource provider once, and the machine then starts', async () => {
  for (const namespace of ['Microsoft.Network', 'Microsoft.Compute']) {
    await far.control('POST', '/_providers', { namespace, registered: false })
  }
  const cloud = far.cloud()
  const before = (await far.truth()).calls.Providers_Register ?? 0
  const asked = () => cloud.createMachine(machineSpec(1), AbortSignal.timeout(20_000))
  await expect(asked()).rejects.toMatchObject({
    kind: 'conflict',
    final: false,
    patience: 30,
    message: expect.stringContaining("not registered to use namespace 'Microsoft.Network'"),
  })
  for (let turn = 0; turn < 5; turn++) {
    const made = await asked().catch(() => null)
    if (made !== null) break
  }
  const look = await cloud.lookAtMachine(machineSpec(1), AbortSignal.timeout(20_000))
  expect(look.seen.state).toBe('running')
  expect((await far.truth()).calls.Providers_Register).toBe(before + 2)
})
