import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { networkInterface, machine, machineBody, openLab, putMachine } from '@trainyard/platform/emulator/test/lab.ts'

let emulator: TestEmulator
beforeEach(async () => {
  emulator = await startTestEmulator({ latency: 1, clock: 'stepped' })
  await openLab(emulator)
})
afterEach(() => emulator.stop())

const reserved = [
  400,
  {
    code: 'NicReservedForAnotherVm',
    message: `Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another nic(s) or retry after 180 seconds. Reserved VM: ${machine('one')}`,
  },
]
const putSecondMachine = () => emulator.arm('PUT', machine('two'), machineBody('one'))
const removal = () => emulator.arm('DELETE', networkInterface('one'))
const statusAndError = async (requested: Promise<{ status: number; body: { error: unknown } }>) => {
  const { status, body } = await requested
  return [status, body.error]
}

test.each(['refuseCapacity', 'refuseQuota'])(
  'reserves the network interface for the machine for 180 s after %s',
  async (kind) => {
    await emulator.control('POST', '/_faults', { kind, operation: 'VirtualMachines_CreateOrUpdate', times: 1 })
    expect((await putMachine(emulator, 'one')).status).toBe(409)
    expect(await statusAndError(putSecondMachine())).toEqual(reserved)
    expect(await statusAndError(removal())).toEqual(reserved)
    await emulator.advance(179)
    expect(await statusAndError(removal())).toEqual(reserved)
    await emulator.advance(1)
    expect((await removal()).status).toBe(202)
  },
)

test('lets the machine itself be retried at once', async () => {
  await emulator.control('POST', '/_offers', { location: 'southindia', size: 'Standard_D2s_v3', offered: false })
  expect((await putMachine(emulator, 'one')).body.error.code).toBe('SkuNotAvailable')
  await emulator.control('POST', '/_offers', { location: 'southindia', size: 'Standard_D2s_v3', offered: true })
  expect((await emulator.arm('PUT', machine('one'), machineBody('one'))).status).toBe(201)
})

test('reserves nothing after a throttled or invalid call', async () => {
  const operation = 'VirtualMachines_CreateOrUpdate'
  await emulator.control('POST', '/_faults', { kind: 'throttle', operation, times: 1 })
  expect((await putMachine(emulator, 'one')).status).toBe(429)
  expect((await emulator.arm('PUT', machine('one'), { location: 'southindia' })).status).toBe(400)
  expect((await removal()).status).toBe(202)
})

test('reserves the network interface of a deleted machine only if its creation had failed', async () => {
  await emulator.control('POST', '/_faults', {
    kind: 'finishFailed',
    operation: 'VirtualMachines_CreateOrUpdate',
    name: 'one',
  })
  for (const name of ['one', 'ran']) await putMachine(emulator, name, machineBody(name, 'Detach'))
  await emulator.advance(3600)
  for (const name of ['one', 'ran']) await emulator.arm('DELETE', machine(name))
  await emulator.advance(170)
  expect(await statusAndError(removal())).toEqual(reserved)
  expect((await emulator.arm('DELETE', networkInterface('ran'))).status).toBe(202)
})
