import { CreateUserCommand, GetUserCommand, ListUsersCommand } from '@aws-sdk/client-iam'
import { afterAll, describe, expect, test } from 'vitest'
import { startAwsLab } from '@trainyard/platform/emulator/test/aws-lab.ts'

const { emulator, watch, clientsFor, iam, truth } = await startAwsLab()
afterAll(() => emulator.stop())

describe('wrong signatures', () => {
  const invalidKeys = [
    ['refuses an unknown key', { accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' }, 'InvalidClientTokenId'],
    ['refuses a wrong secret', { accessKeyId: 'AKIAEMULATEDPORTAL00', secretAccessKey: 'x' }, 'SignatureDoesNotMatch'],
  ] as const
  test.each(invalidKeys)('%s', async (_, key, name) => {
    await expect(clientsFor(key).iam.send(new ListUsersCommand({}))).rejects.toMatchObject({ name })
  })

  test('refuses a body that was changed after signing', async () => {
    await iam.send(new ListUsersCommand({}))
    const lastRequest = watch.exchanges.at(-1)
    const { host: _, 'content-length': __, ...headers } = lastRequest?.headers ?? {}
    const body = `${lastRequest?.body}&More=1`
    const reply = await fetch(`${emulator.url}/`, { method: 'POST', headers, body })
    expect([reply.status, await reply.text()]).toEqual([403, expect.stringContaining('SignatureDoesNotMatch')])
  })
})

describe('injected faults', () => {
  const fault = (options: object) =>
    emulator.control('POST', '/_faults', { operation: 'IAM_CreateUser', times: 1, ...options })
  const create = (UserName: string) => iam.send(new CreateUserCommand({ UserName }))

  test.each([
    ['throttle', {}, 'Throttling'],
    ['refuseQuota', {}, 'LimitExceededException'],
    ['refuseCapacity', {}, 'EntityTemporarilyUnmodifiableException'],
    ['serverError', {}, 'ServiceFailureException'],
    ['serverError', { code: 'ServiceUnavailable' }, 'ServiceUnavailable'],
    ['unauthorised', {}, 'InvalidClientTokenId'],
  ])('returns the documented error for the fault %s with options %o', async (kind, options, name) => {
    await fault({ kind, ...options })
    await expect(create('refused')).rejects.toMatchObject({ name })
    expect(await truth('refused')).toBeUndefined()
  })

  test('loses a reply, drops a call without effect and runs a call late', async () => {
    await fault({ kind: 'loseReply' })
    await expect(create('lost')).rejects.toThrow('fetch failed')
    expect((await truth('lost'))?.exists).toBe(true)
    await fault({ kind: 'dropConnection' })
    await expect(create('dropped')).rejects.toThrow('fetch failed')
    expect(await truth('dropped')).toBeUndefined()
    await fault({ kind: 'doneLate', seconds: 60 })
    await expect(create('late')).rejects.toThrow('fetch failed')
    expect(await truth('late')).toBeUndefined()
    await emulator.control('POST', '/_clock', { advanceSeconds: 61 })
    expect((await truth('late'))?.exists).toBe(true)
  })

  test('refuses a duplicate of a user that reads do not show yet', async () => {
    await fault({ kind: 'seenLate', seconds: 60 })
    await create('unseen')
    const getUser = () => iam.send(new GetUserCommand({ UserName: 'unseen' }))
    await expect(getUser()).rejects.toMatchObject({ name: 'NoSuchEntityException' })
    await expect(create('unseen')).rejects.toMatchObject({ name: 'EntityAlreadyExistsException' })
    await emulator.control('POST', '/_clock', { advanceSeconds: 61 })
    expect((await getUser()).User?.UserName).toBe('unseen')
  })
})

test("conforms to AWS's own models in every request and reply", () => {
  expect(watch.validate().operations.size).toBeGreaterThanOrEqual(3)
})
