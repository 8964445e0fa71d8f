import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFarEnd, type FarEnd } from '#test/far-end.ts'
import { address, addressBody, lifeOf, machine, machineBody, openLab, putMachine } from '#test/lab.ts'

let farEnd: FarEnd

beforeEach(async () => {
  farEnd = await startFarEnd()
  await openLab(farEnd)
  await putMachine(farEnd, 'one')
})
afterEach(() => farEnd.stop())

async function ask(fault: Record<string, unknown>): Promise<void> {
  expect((await farEnd.control('POST', '/_faults', fault)).status).toBe(201)
}

const look = () => farEnd.arm('GET', machine('one'))
const stop = () => farEnd.arm('POST', `${machine('one')}/deallocate`)

describe('a refused call does nothing', () => {
  test.each([
    ['throttle', 429, 'OperationNotAllowed'],
    ['serverError', 500, 'InternalServerError'],
    ['unauthorised', 401, 'InvalidAuthenticationToken'],
    ['refuseQuota', 409, 'OperationNotAllowed'],
    ['refuseCapacity', 409, 'SkuNotAvailable'],
  ])('%s', async (kind, status, code) => {
    await ask({ kind, operation: 'VirtualMachines_CreateOrUpdate', retryAfter: 7, times: 1 })
    const reply = await putMachine(farEnd, 'two')
    expect([reply.status, reply.body.error.code]).toEqual([status, code])
    expect(reply.headers.get('retry-after')).toBe(kind === 'throttle' ? '7' : null)
    expect((await farEnd.arm('GET', machine('two'))).status).toBe(404)
    expect((await farEnd.arm('PUT', machine('two'), machineBody('two'))).status).toBe(201)
  })

  test('no capacity on a start', async () => {
    await stop()
    await ask({ kind: 'refuseCapacity', operation: 'VirtualMachines_Start' })
    const reply = await farEnd.arm('POST', `${machine('one')}/start`)
    expect([reply.status, reply.body.error.code]).toEqual([409, 'AllocationFailed'])
    expect((await lifeOf(farEnd, 'one')).power).toBe('deallocated')
  })

  test('a connection that drops', async () => {
    await ask({ kind: 'dropConnection', operation: 'VirtualMachines_Deallocate' })
    await expect(stop()).rejects.toThrow('fetch failed')
    expect((await lifeOf(farEnd, 'one')).power).toBe('running')
  })

  test('a call that is never answered', async () => {
    await ask({ kind: 'hang', operation: 'VirtualMachines_Get' })
    const headers = { authorization: 'Bearer x' }
    const signal = AbortSignal.timeout(300)
    const asked = fetch(`${farEnd.url}${machine('one')}?api-version=2024-07-01`, { headers, signal })
    await expect(asked).rejects.toThrow(/timeout/i)
  })
})

describe('a call with a bad answer is done all the same', () => {
  test('a lost reply', async () => {
    await ask({ kind: 'loseReply', operation: 'VirtualMachines_Deallocate', times: 1 })
    await expect(stop()).rejects.toThrow('fetch failed')
    expect((await lifeOf(farEnd, 'one')).power).toBe('deallocated')
    expect((await stop()).status).toBe(202)
  })

  test('a reply that can not be read', async () => {
    await ask({ kind: 'malformed', operation: 'PublicIPAddresses_CreateOrUpdate', times: 1 })
    await expect(farEnd.arm('PUT', address('new'), addressBody)).rejects.toThrow(SyntaxError)
    expect((await farEnd.arm('GET', address('new'))).status).toBe(200)
  })
})

test('an operation that never finishes is still at work an hour later, until the machine is deleted', async () => {
  await farEnd.control('POST', '/_clock', { mode: 'stepped' })
  await ask({ kind: 'neverFinish', operation: 'VirtualMachines_Restart' })
  const reply = await farEnd.arm('POST', `${machine('one')}/restart`)
  await farEnd.advance(3600)
  const poll = reply.headers.get('azure-asyncoperation')
  expect((await farEnd.follow(poll)).body.status).toBe('InProgress')
  expect((await look()).body.properties.provisioningState).toBe('Updating')
  await farEnd.arm('DELETE', machine('one'))
  expect((await look()).status).toBe(404)
})

test('a creation that ends as failed shows why, is never billed, and may be tried again', async () => {
  await ask({ kind: 'finishFailed', operation: 'VirtualMachines_CreateOrUpdate', name: 'two', times: 1 })
  const reply = await putMachine(farEnd, 'two')
  const poll = reply.headers.get('azure-asyncoperation')
  expect((await farEnd.follow(poll)).body).toMatchObject({ status: 'Failed', error: { code: 'AllocationFailed' } })
  const { body } = await farEnd.arm('GET', `${machine('two')}/instanceView`)
  expect(body.statuses).toMatchObject([{ code: 'ProvisioningState/failed/AllocationFailed', level: 'Error' }])
  expect((await lifeOf(farEnd, 'two')).billed).toEqual([])
  const again = await farEnd.arm('PUT', machine('two'), machineBody('two'))
  expect(again.body.properties.provisioningState).toBe('Succeeded')
})

test('every third call whose name matches, and no other', async () => {
  await ask({ kind: 'throttle', operation: 'VirtualMachines_*', name: 'o*e', every: 3 })
  const statuses: number[] = []
  for (let call = 0; call < 6; call += 1) statuses.push((await look()).status)
  expect(statuses).toEqual([200, 200, 429, 200, 200, 429])
  expect((await farEnd.arm('GET', machine('other'))).status).toBe(404)
  expect((await farEnd.control('GET', '/_faults')).body.faults).toMatchObject([{ matched: 6, happened: 2 }])
  await farEnd.control('DELETE', '/_faults')
  expect((await farEnd.control('GET', '/_faults')).body.faults).toEqual([])
})

test('a fault that is none is refused with the field', async () => {
  const reply = await farEnd.control('POST', '/_faults', { kind: 'explode' })
  expect(reply.status).toBe(400)
  expect(reply.body.error).toContain('kind')
})
