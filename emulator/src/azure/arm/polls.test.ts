import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inGroup, startFarEnd, type FarEnd, type Reply } from '#test/far-end.ts'
import {
  address,
  addressBody,
  networkInterface,
  networkInterfaceBody,
  securityGroup,
  machine,
  openLab,
  putMachine,
} from '#test/lab.ts'

/** These tests hold the poll answers and their ends to the public recordings of Azure's own tests. */
let farEnd: FarEnd
beforeEach(async () => {
  farEnd = await startFarEnd({ latency: 1, clock: 'stepped' })
  await openLab(farEnd)
})
afterEach(() => farEnd.stop())

const signed = /&t=\d{18}&c=[\w-]+&s=[\w-]+&h=[\w-]+$/
const asked = (reply: Reply) => ({
  status: reply.status,
  state: reply.body?.properties?.provisioningState as string | undefined,
  ...Object.fromEntries(
    ['azure-asyncoperation', 'location', 'retry-after'].map((name) => [name, reply.headers.get(name)]),
  ),
})

describe('a machine', () => {
  test('its PUT points at the status alone, which says since when, until when and by which name', async () => {
    const made = await putMachine(farEnd, 'one')
    expect(asked(made)).toEqual({
      status: 201,
      state: 'Creating',
      'azure-asyncoperation': expect.stringMatching(
        /\/providers\/Microsoft\.Compute\/locations\/southindia\/operations\/[\w-]+\?p=[\w-]+&api-version=2024-07-01&t=/,
      ),
      location: null,
      'retry-after': '10',
    })
    const where = made.headers.get('azure-asyncoperation')
    expect(where).toMatch(signed)
    const name = /operations\/([\w-]+)/.exec(where ?? '')?.[1]
    const atWork = await farEnd.follow(where)
    expect([atWork.status, atWork.headers.get('retry-after')]).toEqual([200, '35'])
    expect(atWork.body).toEqual({ startTime: expect.any(String), status: 'InProgress', name })
    await farEnd.advance(2000)
    const ended = await farEnd.follow(where)
    expect(ended.headers.get('retry-after')).toBeNull()
    const whole = { startTime: expect.any(String), endTime: expect.any(String), status: 'Succeeded', name }
    expect(ended.body).toEqual(whole)
  })

  test.each(['powerOff', 'restart', 'deallocate', 'start'])(
    'after %s the result stands at the same address, monitored, and ends in an empty 200',
    async (verb) => {
      await putMachine(farEnd, 'one')
      await farEnd.advance(2000)
      if (verb === 'start') await farEnd.control('POST', '/_machines/one/deallocate')
      const reply = await farEnd.arm('POST', `${machine('one')}/${verb}`)
      expect([reply.status, reply.body]).toEqual([202, undefined])
      const status = new URL(reply.headers.get('azure-asyncoperation') ?? '')
      const result = new URL(reply.headers.get('location') ?? '')
      expect(result.pathname).toBe(status.pathname)
      expect(result.searchParams.get('monitor')).toBe('true')
      expect((await farEnd.follow(result.href)).status).toBe(202)
      await farEnd.advance(2000)
      const ended = await farEnd.follow(result.href)
      expect([ended.status, ended.body]).toEqual([200, undefined])
    },
  )

  test('a failure stands in the status, between how it ended and the name', async () => {
    await farEnd.control('POST', '/_faults', { kind: 'finishFailed', operation: 'VirtualMachines_CreateOrUpdate' })
    const made = await putMachine(farEnd, 'one')
    await farEnd.advance(2000)
    const { body } = await farEnd.follow(made.headers.get('azure-asyncoperation'))
    expect(Object.keys(body)).toEqual(['startTime', 'endTime', 'status', 'error', 'name'])
    expect(body).toMatchObject({ status: 'Failed', error: { code: 'AllocationFailed' } })
  })

  test('an address is good only as it was given', async () => {
    const where = (await putMachine(farEnd, 'one')).headers.get('azure-asyncoperation') ?? ''
    for (const part of ['t', 'c', 's', 'h']) {
      const without = new URL(where)
      without.searchParams.delete(part)
      const altered = new URL(where)
      altered.searchParams.set(part, '1')
      expect((await farEnd.follow(without.href)).status).toBe(404)
      expect((await farEnd.follow(altered.href)).status).toBe(404)
    }
    expect((await farEnd.follow(where)).status).toBe(200)
  })
})

describe('the network', () => {
  test('its status says how it stands and no more', async () => {
    const made = await farEnd.arm('PUT', address('a'), addressBody)
    expect(asked(made)).toEqual({
      status: 201,
      state: 'Updating',
      'azure-asyncoperation': expect.stringMatching(/\/operations\/[\w-]+\?api-version=2024-05-01&t=/),
      location: null,
      'retry-after': '1',
    })
    const where = made.headers.get('azure-asyncoperation')
    expect((await farEnd.follow(where)).body).toEqual({ status: 'InProgress' })
    await farEnd.advance(60)
    expect((await farEnd.follow(where)).body).toEqual({ status: 'Succeeded' })
  })

  test('a new network interface is there at once, with nothing to look at', async () => {
    await farEnd.arm('PUT', address('a'), addressBody)
    await farEnd.advance(60)
    expect(asked(await farEnd.arm('PUT', networkInterface('a'), networkInterfaceBody('a')))).toEqual({
      status: 201,
      state: 'Succeeded',
      'azure-asyncoperation': null,
      location: null,
      'retry-after': null,
    })
  })

  test('a network interface whose creation failed is as it should be once it is put again', async () => {
    await farEnd.arm('PUT', address('b'), addressBody)
    await farEnd.advance(60)
    await farEnd.control('POST', '/_faults', { kind: 'finishFailed', operation: 'NetworkInterfaces_*', times: 1 })
    await farEnd.arm('PUT', networkInterface('b'), networkInterfaceBody('b'))
    await farEnd.advance(60)
    expect(asked(await farEnd.arm('GET', networkInterface('b')))).toMatchObject({ state: 'Failed' })
    expect(asked(await farEnd.arm('PUT', networkInterface('b'), networkInterfaceBody('b')))).toMatchObject({
      status: 200,
      state: 'Succeeded',
    })
  })

  test('a failure has its details in the status', async () => {
    await farEnd.control('POST', '/_faults', { kind: 'finishFailed', operation: 'NetworkSecurityGroups_*' })
    const made = await farEnd.arm('PUT', securityGroup('g'), { location: 'southindia', properties: {} })
    await farEnd.advance(60)
    expect((await farEnd.follow(made.headers.get('azure-asyncoperation'))).body).toEqual({
      status: 'Failed',
      error: { code: 'InternalServerError', message: 'An error occurred.', details: [] },
    })
  })

  test('the result of a removal has a place of its own and ends in 204, with both addresses again', async () => {
    await farEnd.arm('PUT', securityGroup('g'), { location: 'southindia', properties: {} })
    await farEnd.advance(60)
    const reply = await farEnd.arm('DELETE', securityGroup('g'))
    expect([reply.status, reply.body, reply.headers.get('retry-after')]).toEqual([202, undefined, '1'])
    const where = reply.headers.get('location')
    expect(where).toMatch(/\/providers\/Microsoft\.Network\/locations\/southindia\/operationResults\//)
    expect((await farEnd.follow(where)).status).toBe(202)
    await farEnd.advance(60)
    const ended = await farEnd.follow(where)
    expect([ended.status, ended.body]).toEqual([204, undefined])
    expect(ended.headers.get('location')).toContain('/operationResults/')
    expect(ended.headers.get('azure-asyncoperation')).toContain('/operations/')
  })
})

describe('a group', () => {
  test('its deletion is looked at by its job and ends in an empty 200', async () => {
    const reply = await farEnd.arm('DELETE', inGroup)
    expect(asked(reply)).toEqual({
      status: 202,
      state: undefined,
      'azure-asyncoperation': null,
      location: expect.stringMatching(/\/operationresults\/eyJqb2JJZCI6IlJFU09VUkNFR1JPVVBERUxFVElPTkpPQi1[\w-]+\?/),
      'retry-after': '15',
    })
    const where = reply.headers.get('location')
    const atWork = await farEnd.follow(where)
    expect([atWork.status, atWork.body, atWork.headers.get('retry-after')]).toEqual([202, undefined, '15'])
    await farEnd.advance(4000)
    const ended = await farEnd.follow(where)
    expect([ended.status, ended.body, ended.headers.get('location')]).toEqual([200, undefined, null])
  })

  test('a deletion that failed ends in a 409 whose words begin with capitals', async () => {
    await farEnd.control('POST', '/_faults', {
      kind: 'finishFailed',
      operation: 'ResourceGroups_Delete',
      code: 'ResourceGroupDeletionTimeout',
      message: "Deletion of resource group 'labs' did not finish within the allowed time.",
    })
    const reply = await farEnd.arm('DELETE', inGroup)
    await farEnd.advance(4000)
    const ended = await farEnd.follow(reply.headers.get('location'))
    expect(ended.status).toBe(409)
    expect(ended.body.Error).toMatchObject({
      Code: 'ResourceGroupDeletionTimeout',
      Target: null,
      Message: "Deletion of resource group 'labs' did not finish within the allowed time.",
      Details: [{ Code: null, Target: expect.stringContaining('/resourcegroups/labs'), Details: null }],
    })
    expect((await farEnd.arm('GET', inGroup)).status).toBe(200)
  })
})
