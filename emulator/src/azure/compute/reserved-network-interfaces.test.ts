import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFarEnd, type FarEnd } from '#test/far-end.ts'
import { networkInterface, machine, machineBody, openLab, putMachine } from '#test/lab.ts'

let farEnd: FarEnd
beforeEach(async () => {
  farEnd = await startFarEnd({ latency: 1, clock: 'stepped' })
  await openLab(farEnd)
})
afterEach(() => farEnd.stop())

const reserved = [
  400,
  {
    code: 'NicReservedForAnotherVm',
    message: `Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another nic(s) or retry after 180 seconds. Reserved VM: ${machine('one')}`,
  },
]
const another = () => farEnd.arm('PUT', machine('two'), machineBody('one'))
const removal = () => farEnd.arm('DELETE', networkInterface('one'))
const said = async (asked: Promise<{ status: number; body: { error: unknown } }>) => {
  const { status, body } = await asked
  return [status, body.error]
}

test.each(['refuseCapacity', 'refuseQuota'])(
  'after %s its network interface is kept for the machine for 180 s',
  async (kind) => {
    await farEnd.control('POST', '/_faults', { kind, operation: 'VirtualMachines_CreateOrUpdate', times: 1 })
    expect((await putMachine(farEnd, 'one')).status).toBe(409)
    expect(await said(another())).toEqual(reserved)
    expect(await said(removal())).toEqual(reserved)
    await farEnd.advance(179)
    expect(await said(removal())).toEqual(reserved)
    await farEnd.advance(1)
    expect((await removal()).status).toBe(202)
  },
)

test('the machine itself may be tried again at once', async () => {
  await farEnd.control('POST', '/_offers', { location: 'southindia', size: 'Standard_D2s_v3', offered: false })
  expect((await putMachine(farEnd, 'one')).body.error.code).toBe('SkuNotAvailable')
  await farEnd.control('POST', '/_offers', { location: 'southindia', size: 'Standard_D2s_v3', offered: true })
  expect((await farEnd.arm('PUT', machine('one'), machineBody('one'))).status).toBe(201)
})

test('a call that came too fast, and one that Azure did not understand, keep nothing', async () => {
  const operation = 'VirtualMachines_CreateOrUpdate'
  await farEnd.control('POST', '/_faults', { kind: 'throttle', operation, times: 1 })
  expect((await putMachine(farEnd, 'one')).status).toBe(429)
  expect((await farEnd.arm('PUT', machine('one'), { location: 'southindia' })).status).toBe(400)
  expect((await removal()).status).toBe(202)
})

test('a machine whose creation failed leaves its network interface reserved when it goes, one that ran does not', async () => {
  await farEnd.control('POST', '/_faults', {
    kind: 'finishFailed',
    operation: 'VirtualMachines_CreateOrUpdate',
    name: 'one',
  })
  for (const name of ['one', 'ran']) await putMachine(farEnd, name, machineBody(name, 'Detach'))
  await farEnd.advance(3600)
  for (const name of ['one', 'ran']) await farEnd.arm('DELETE', machine(name))
  await farEnd.advance(170)
  expect(await said(removal())).toEqual(reserved)
  expect((await farEnd.arm('DELETE', networkInterface('ran'))).status).toBe(202)
})
