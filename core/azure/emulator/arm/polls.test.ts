import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  inGroup,
  startTestEmulator,
  type TestEmulator,
  type Reply,
} from '@trainyard/platform/emulator/test/test-emulator.ts'
import {
  address,
  addressBody,
  networkInterface,
  networkInterfaceBody,
  securityGroup,
  machine,
  openLab,
  putMachine,
} from '@trainyard/platform/emulator/test/lab.ts'

/** These tests compare poll replies and final replies with the public recordings of Azure's own tests. */
let emulator: TestEmulator
beforeEach(async () => {
  emulator = await startTestEmulator({ latency: 1, clock: 'stepped' })
  await openLab(emulator)
})
afterEach(() => emulator.stop())

const signed = /&t=\d{18}&c=[\w-]+&s=[\w-]+&h=[\w-]+$/
const pollFields = (reply: Reply) => ({
  status: reply.status,
  state: reply.body?.properties?.provisioningState as string | undefined,
  ...Object.fromEntries(
    ['azure-asyncoperation', 'location', 'retry-after'].map((name) => [name, reply.headers.get(name)]),
  ),
})

describe('machines', () => {
  test('links a PUT only to its status, which has start, end and name', async () => {
    const created = await putMachine(emulator, 'one')
    expect(pollFields(created)).toEqual({
      status: 201,
      state: 'Creating',
      'azure-asyncoperation': expect.stringMatching(
        /\/providers\/Microsoft\.Compute\/locations\/southindia\/operations\/[\w-]+\?p=[\w-]+&api-version=2024-07-01&t=/,
      ),
      location: null,
      'retry-after': '10',
    })
    const pollUrl = created.headers.get('azure-asyncoperation')
    expect(pollUrl).toMatch(signed)
    const name = /operations\/([\w-]+)/.exec(pollUrl ?? '')?.[1]
    const inProgress = await emulator.follow(pollUrl)
    expect([inProgress.status, inProgress.headers.get('retry-after')]).toEqual([200, '35'])
    expect(inProgress.body).toEqual({ startTime: expect.any(String), status: 'InProgress', name })
    await emulator.advance(2000)
    const ended = await emulator.follow(pollUrl)
    expect(ended.headers.get('retry-after')).toBeNull()
    const finished = { startTime: expect.any(String), endTime: expect.any(String), status: 'Succeeded', name }
    expect(ended.body).toEqual(finished)
  })

  test.each(['powerOff', 'restart', 'deallocate', 'start'])(
    'shows the result of %s at the monitored status address, finally as an empty 200',
    async (verb) => {
      await putMachine(emulator, 'one')
      await emulator.advance(2000)
      if (verb === 'start') await emulator.control('POST', '/_machines/one/deallocate')
      const reply = await emulator.arm('POST', `${machine('one')}/${verb}`)
      expect([reply.status, reply.body]).toEqual([202, undefined])
      const status = new URL(reply.headers.get('azure-asyncoperation') ?? '')
      const result = new URL(reply.headers.get('location') ?? '')
      expect(result.pathname).toBe(status.pathname)
      expect(result.searchParams.get('monitor')).toBe('true')
      expect((await emulator.follow(result.href)).status).toBe(202)
      await emulator.advance(2000)
      const ended = await emulator.follow(result.href)
      expect([ended.status, ended.body]).toEqual([200, undefined])
    },
  )

  test('shows a failure between the status and the name', async () => {
    await emulator.control('POST', '/_faults', { kind: 'finishFailed', operation: 'VirtualMachines_CreateOrUpdate' })
    const created = await putMachine(emulator, 'one')
    await emulator.advance(2000)
    const { body } = await emulator.follow(created.headers.get('azure-asyncoperation'))
    expect(Object.keys(body)).toEqual(['startTime', 'endTime', 'status', 'error', 'name'])
    expect(body).toMatchObject({ status: 'Failed', error: { code: 'AllocationFailed' } })
  })

  test('accepts a poll address only unchanged', async () => {
    const pollUrl = (await putMachine(emulator, 'one')).headers.get('azure-asyncoperation') ?? ''
    for (const part of ['t', 'c', 's', 'h']) {
      const urlWithoutSignature = new URL(pollUrl)
      urlWithoutSignature.searchParams.delete(part)
      const altered = new URL(pollUrl)
      altered.searchParams.set(part, '1')
      expect((await emulator.follow(urlWithoutSignature.href)).status).toBe(404)
      expect((await emulator.follow(altered.href)).status).toBe(404)
    }
    expect((await emulator.follow(pollUrl)).status).toBe(200)
  })
})

describe('networks', () => {
  test('shows only the status of an operation', async () => {
    const created = await emulator.arm('PUT', address('a'), addressBody)
    expect(pollFields(created)).toEqual({
      status: 201,
      state: 'Updating',
      'azure-asyncoperation': expect.stringMatching(/\/operations\/[\w-]+\?api-version=2024-05-01&t=/),
      location: null,
      'retry-after': '1',
    })
    const pollUrl = created.headers.get('azure-asyncoperation')
    expect((await emulator.follow(pollUrl)).body).toEqual({ status: 'InProgress' })
    await emulator.advance(60)
    expect((await emulator.follow(pollUrl)).body).toEqual({ status: 'Succeeded' })
  })

  test('creates a network interface at once, without a poll address', async () => {
    await emulator.arm('PUT', address('a'), addressBody)
    await emulator.advance(60)
    expect(pollFields(await emulator.arm('PUT', networkInterface('a'), networkInterfaceBody('a')))).toEqual({
      status: 201,
      state: 'Succeeded',
      'azure-asyncoperation': null,
      location: null,
      'retry-after': null,
    })
  })

  test('repairs a failed network interface by another PUT', async () => {
    await emulator.arm('PUT', address('b'), addressBody)
    await emulator.advance(60)
    await emulator.control('POST', '/_faults', { kind: 'finishFailed', operation: 'NetworkInterfaces_*', times: 1 })
    await emulator.arm('PUT', networkInterface('b'), networkInterfaceBody('b'))
    await emulator.advance(60)
    expect(pollFields(await emulator.arm('GET', networkInterface('b')))).toMatchObject({ state: 'Failed' })
    expect(pollFields(await emulator.arm('PUT', networkInterface('b'), networkInterfaceBody('b')))).toMatchObject({
      status: 200,
      state: 'Succeeded',
    })
  })

  test('shows a failure with details in the status', async () => {
    await emulator.control('POST', '/_faults', { kind: 'finishFailed', operation: 'NetworkSecurityGroups_*' })
    const created = await emulator.arm('PUT', securityGroup('g'), { location: 'southindia', properties: {} })
    await emulator.advance(60)
    expect((await emulator.follow(created.headers.get('azure-asyncoperation'))).body).toEqual({
      status: 'Failed',
      error: { code: 'InternalServerError', message: 'An error occurred.', details: [] },
    })
  })

  test('shows a canceled operation in its status and in the resource', async () => {
    await emulator.control('POST', '/_faults', { kind: 'finishCanceled', operation: 'NetworkSecurityGroups_*' })
    const created = await emulator.arm('PUT', securityGroup('g'), { location: 'southindia', properties: {} })
    await emulator.advance(60)
    expect((await emulator.follow(created.headers.get('azure-asyncoperation'))).body).toEqual({
      status: 'Canceled',
      error: { code: 'Canceled', message: 'Operation was canceled.', details: [] },
    })
    expect(pollFields(await emulator.arm('GET', securityGroup('g')))).toMatchObject({ state: 'Canceled' })
  })

  test('answers the result of a removal at a separate address, finally as 204 with both addresses', async () => {
    await emulator.arm('PUT', securityGroup('g'), { location: 'southindia', properties: {} })
    await emulator.advance(60)
    const reply = await emulator.arm('DELETE', securityGroup('g'))
    expect([reply.status, reply.body, reply.headers.get('retry-after')]).toEqual([202, undefined, '1'])
    const pollUrl = reply.headers.get('location')
    expect(pollUrl).toMatch(/\/providers\/Microsoft\.Network\/locations\/southindia\/operationResults\//)
    expect((await emulator.follow(pollUrl)).status).toBe(202)
    await emulator.advance(60)
    const ended = await emulator.follow(pollUrl)
    expect([ended.status, ended.body]).toEqual([204, undefined])
    expect(ended.headers.get('location')).toContain('/operationResults/')
    expect(ended.headers.get('azure-asyncoperation')).toContain('/operations/')
  })
})

describe('resource groups', () => {
  test('shows a deletion at the address of its job, finally as an empty 200', async () => {
    const reply = await emulator.arm('DELETE', inGroup)
    expect(pollFields(reply)).toEqual({
      status: 202,
      state: undefined,
      'azure-asyncoperation': null,
      location: expect.stringMatching(/\/operationresults\/eyJqb2JJZCI6IlJFU09VUkNFR1JPVVBERUxFVElPTkpPQi1[\w-]+\?/),
      'retry-after': '15',
    })
    const pollUrl = reply.headers.get('location')
    const inProgress = await emulator.follow(pollUrl)
    expect([inProgress.status, inProgress.body, inProgress.headers.get('retry-after')]).toEqual([202, undefined, '15'])
    await emulator.advance(4000)
    const ended = await emulator.follow(pollUrl)
    expect([ended.status, ended.body, ended.headers.get('location')]).toEqual([200, undefined, null])
  })

  test('ends a failed deletion in 409 with capitalised field names', async () => {
    await emulator.control('POST', '/_faults', {
      kind: 'finishFailed',
      operation: 'ResourceGroups_Delete',
      code: 'ResourceGroupDeletionTimeout',
      message: "Deletion of resource group 'labs' did not finish within the allowed time.",
    })
    const reply = await emulator.arm('DELETE', inGroup)
    await emulator.advance(4000)
    const ended = await emulator.follow(reply.headers.get('location'))
    expect(ended.status).toBe(409)
    expect(ended.body.Error).toMatchObject({
      Code: 'ResourceGroupDeletionTimeout',
      Target: null,
      Message: "Deletion of resource group 'labs' did not finish within the allowed time.",
      Details: [{ Code: null, Target: expect.stringContaining('/resourcegroups/labs'), Details: null }],
    })
    expect((await emulator.arm('GET', inGroup)).status).toBe(200)
  })
})
