import { expect, test } from 'vitest'
import { inSubscription, subscription } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator()

const machine = {
  name: 'old-1',
  resourceGroup: 'labs',
  location: 'southindia',
  size: 'Standard_D2s_v3',
  os: 'Linux',
  createdAt: '2026-01-05T04:00:00Z',
  deletedAt: '2026-01-09T12:00:00Z',
  billed: [
    { from: '2026-01-05T04:30:00Z', to: '2026-01-05T06:00:00Z' },
    { from: '2026-01-06T04:30:00Z', to: '2026-01-06T04:45:10Z' },
  ],
}
const record = (overrides: object = {}) =>
  emulator.control('POST', '/_past', { subscription, machines: [{ ...machine, ...overrides }] })
const recordedMachines = async () => (await emulator.control('GET', '/_truth?part=machines')).body.machines

test('records a past machine with its billed intervals once, and does not show it in Azure', async () => {
  expect((await record({ billed: [] })).status).toBe(200)
  expect((await record()).status).toBe(200)
  expect(await recordedMachines()).toMatchObject([
    { name: 'old-1', exists: false, power: null, billedSeconds: 5_400 + 910, deletedAt: '2026-01-09T12:00:00.000Z' },
  ])
  const { body } = await emulator.arm('GET', `${inSubscription}/providers/Microsoft.Compute/virtualMachines`)
  expect(body.value).toEqual([])
})

test.each([
  ['that is deleted in the future', { deletedAt: '2999-01-01T00:00:00Z' }],
  ['with unordered billed intervals', { billed: machine.billed.toReversed() }],
  ['that is billed after its deletion', { deletedAt: '2026-01-06T04:40:00Z' }],
  ['of an unknown size', { size: 'Standard_Huge' }],
])('rejects a past machine %s and leaves the record unchanged', async (_, overrides) => {
  const before = await recordedMachines()
  expect((await record(overrides)).status).toBe(400)
  expect(await recordedMachines()).toEqual(before)
})
