import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from '../test/test-emulator.ts'
import { address, addressBody, recordedMachine, machine, machineBody, openLab, putMachine } from '../test/lab.ts'

let emulator: TestEmulator

beforeEach(async () => {
  emulator = await startTestEmulator()
  await openLab(emulator)
  await putMachine(emulator, 'one')
})
afterEach(() => emulator.stop())

async function inject(fault: Record<string, unknown>): Promise<void> {
  expect((await emulator.control('POST', '/_faults', fault)).status).toBe(201)
}

const getMachine = () => emulator.arm('GET', machine('one'))
const stop = () => emulator.arm('POST', `${machine('one')}/deallocate`)

describe('a refused call without effect', () => {
  test.each([
    ['throttle', 429, 'OperationNotAllowed'],
    ['serverError', 500, 'InternalServerError'],
    ['unauthorised', 401, 'InvalidAuthenticationToken'],
    ['refuseQuota', 409, 'OperationNotAllowed'],
    ['refuseCapacity', 409, 'SkuNotAvailable'],
  ])('%s', async (kind, status, code) => {
    await inject({ kind, operation: 'VirtualMachines_CreateOrUpdate', retryAfter: 7, times: 1 })
    const reply = await putMachine(emulator, 'two')
    expect([reply.status, reply.body.error.code]).toEqual([status, code])
    expect(reply.headers.get('retry-after')).toBe(kind === 'throttle' ? '7' : null)
    expect((await emulator.arm('GET', machine('two'))).status).toBe(404)
    expect((await emulator.arm('PUT', machine('two'), machineBody('two'))).status).toBe(201)
  })

  test('reports no capacity on a start', async () => {
    await stop()
    await inject({ kind: 'refuseCapacity', operation: 'VirtualMachines_Start' })
    const reply = await emulator.arm('POST', `${machine('one')}/start`)
    expect([reply.status, reply.body.error.code]).toEqual([409, 'AllocationFailed'])
    expect((await recordedMachine(emulator, 'one')).power).toBe('deallocated')
  })

  test('drops a connection', async () => {
    await inject({ kind: 'dropConnection', operation: 'VirtualMachines_Deallocate' })
    await expect(stop()).rejects.toThrow('fetch failed')
    expect((await recordedMachine(emulator, 'one')).power).toBe('running')
  })

  test('leaves a call unanswered', async () => {
    await inject({ kind: 'hang', operation: 'VirtualMachines_Get' })
    const headers = { authorization: 'Bearer x' }
    const signal = AbortSignal.timeout(300)
    const pending = fetch(`${emulator.url}${machine('one')}?api-version=2024-07-01`, { headers, signal })
    await expect(pending).rejects.toThrow(/timeout/i)
  })
})

describe('a bad reply to a call that took effect', () => {
  test('loses a reply', async () => {
    await inject({ kind: 'loseReply', operation: 'VirtualMachines_Deallocate', times: 1 })
    await expect(stop()).rejects.toThrow('fetch failed')
    expect((await recordedMachine(emulator, 'one')).power).toBe('deallocated')
    expect((await stop()).status).toBe(202)
  })

  test('sends a malformed reply', async () => {
    await inject({ kind: 'malformed', operation: 'PublicIPAddresses_CreateOrUpdate', times: 1 })
    await expect(emulator.arm('PUT', address('new'), addressBody)).rejects.toThrow(SyntaxError)
    expect((await emulator.arm('GET', address('new'))).status).toBe(200)
  })
})

test('keeps an operation in progress until its machine is deleted', async () => {
  await emulator.control('POST', '/_clock', { mode: 'stepped' })
  await inject({ kind: 'neverFinish', operation: 'VirtualMachines_Restart' })
  const reply = await emulator.arm('POST', `${machine('one')}/restart`)
  await emulator.advance(3600)
  const poll = reply.headers.get('azure-asyncoperation')
  expect((await emulator.follow(poll)).body.status).toBe('InProgress')
  expect((await getMachine()).body.properties.provisioningState).toBe('Updating')
  await emulator.arm('DELETE', machine('one'))
  expect((await getMachine()).status).toBe(404)
})

test('fails a creation with a reason, does not bill it and allows a retry', async () => {
  await inject({ kind: 'finishFailed', operation: 'VirtualMachines_CreateOrUpdate', name: 'two', times: 1 })
  const reply = await putMachine(emulator, 'two')
  const poll = reply.headers.get('azure-asyncoperation')
  expect((await emulator.follow(poll)).body).toMatchObject({ status: 'Failed', error: { code: 'AllocationFailed' } })
  const { body } = await emulator.arm('GET', `${machine('two')}/instanceView`)
  expect(body.statuses).toMatchObject([{ code: 'ProvisioningState/failed/AllocationFailed', level: 'Error' }])
  expect((await recordedMachine(emulator, 'two')).billed).toEqual([])
  const again = await emulator.arm('PUT', machine('two'), machineBody('two'))
  expect(again.body.properties.provisioningState).toBe('Succeeded')
})

test('affects every third call with a matching name only', async () => {
  await inject({ kind: 'throttle', operation: 'VirtualMachines_*', name: 'o*e', every: 3 })
  const statuses: number[] = []
  for (let call = 0; call < 6; call += 1) statuses.push((await getMachine()).status)
  expect(statuses).toEqual([200, 200, 429, 200, 200, 429])
  expect((await emulator.arm('GET', machine('other'))).status).toBe(404)
  expect((await emulator.control('GET', '/_faults')).body.faults).toMatchObject([{ matched: 6, happened: 2 }])
  await emulator.control('DELETE', '/_faults')
  expect((await emulator.control('GET', '/_faults')).body.faults).toEqual([])
})

test('rejects an unknown kind of fault and names the field', async () => {
  const reply = await emulator.control('POST', '/_faults', { kind: 'explode' })
  expect(reply.status).toBe(400)
  expect(reply.body.error).toContain('kind')
})
