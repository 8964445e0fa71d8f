import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteUserPolicyCommand,
  IAMClient,
} from '@aws-sdk/client-iam'
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts'
import { portalKey } from '@trainyard/emulator/aws/cloud.ts'
import { afterEach, expect, test } from 'vitest'
import { testAwsUsers } from '#test/adapters.ts'
import { sharedEmulator } from '#test/shared.ts'

const emulator = await sharedEmulator()
// One that nobody came by, as when a call was given up before it arrived, must not meet the next test.
afterEach(() => emulator.clearFaults())

const signal = new AbortController().signal
const until = new Date('2099-01-01T00:00:00Z')
const at = { id: '0198c0de-0000-7000-8000-000000000001', username: 'asha', account: null, until }

const fault = (given: object) => emulator.fault({ times: 1, ...given })

test.each([
  ['throttle', 'throttled', 'AWS asks for a pause before it will show the user asha (Throttling).', 33],
  [
    'refuseQuota',
    'quota',
    'A limit of the AWS account is reached: Cannot exceed quota for UsersPerAccount: 5000',
    null,
  ],
  [
    'unauthorised',
    'unauthorised',
    'AWS does not let the portal show the user asha (InvalidClientTokenId): look at its credentials and roles.',
    null,
  ],
  ['serverError', 'unreachable', 'AWS failed when asked to show the user asha (status 500).', null],
  ['dropConnection', 'unreachable', 'Asked AWS to show the user asha, but there was no answer.', null],
  ['hang', 'unreachable', 'AWS did not answer in time when asked to show the user asha.', null],
])('%s is told as %s, in a sentence', async (injected, kind, message, retryAfter) => {
  await fault({ kind: injected, operation: 'IAM_GetUser', retryAfter: 33 })
  const patience = injected === 'hang' ? 250 : undefined
  await expect(testAwsUsers(emulator.url, undefined, patience).look(at, signal)).rejects.toMatchObject({
    kind,
    message,
    retryAfter,
  })
})

test('half an answer counts as none', async () => {
  const aws = testAwsUsers(emulator.url)
  await aws.create({ ...at, password: 'Correct-Horse-7' }, signal)
  await fault({ kind: 'malformed', operation: 'IAM_GetUser' })
  await expect(aws.look(at, signal)).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'AWS answered with something that could not be read.',
  })
  expect(await aws.look(at, signal)).toEqual({ state: 'existing', secured: true })
  expect(await aws.look({ ...at, id: 'another' }, signal)).toEqual({ state: 'foreign' })
})

/** Something between us and AWS that answers itself. */
async function proxyWith(status: number, type: string, body: string): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => response.writeHead(status, { 'content-type': type }).end(body))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.each([
  [404, 'text/html', '<html><body>Not found</body></html>'],
  [200, 'text/html', '<html><body>Welcome to the guest network</body></html>'],
  [200, 'text/xml', '<GetUserResponse><GetUserResult>'],
  [502, 'text/plain', 'Bad gateway'],
])("some proxy's %s never makes a user absent, or made", async (status, type, body) => {
  const { server, url } = await proxyWith(status, type, body)
  const aws = testAwsUsers(url)
  await expect(aws.look(at, signal)).rejects.toMatchObject({ name: 'CloudError', kind: 'unreachable' })
  await expect(aws.remove(at, signal)).rejects.toMatchObject({ kind: 'unreachable' })
  server.close()
})

test('whatever a policy allows, a lab user becomes nobody else', async () => {
  const own = { ...at, id: '0198c0de-0000-7000-8000-000000000002', username: 'curious' }
  const key = await keyOf(own)
  const theirs = { endpoint: emulator.url, region: 'us-east-1', credentials: key, maxAttempts: 1 }
  const RoleArn = 'arn:aws:iam::200000000001:role/OrganizationAccountAccessRole'
  const become = new STSClient(theirs).send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'somebody' }))
  await expect(become).rejects.toMatchObject({ name: 'AccessDenied' })
  const another = new IAMClient(theirs).send(new CreateUserCommand({ UserName: 'another' }))
  await expect(another).rejects.toMatchObject({ name: 'AccessDenied' })
  const leave = new IAMClient(theirs).send(
    new DeleteUserPolicyCommand({ UserName: 'curious', PolicyName: 'trainyard-until' }),
  )
  await expect(leave).rejects.toMatchObject({ name: 'AccessDenied' })
})

/** A key of a lab user whom somebody gave every right there is. */
async function keyOf(user: typeof at): Promise<{ accessKeyId: string; secretAccessKey: string }> {
  await testAwsUsers(emulator.url).create({ ...user, password: 'Correct-Horse-7' }, signal)
  const iam = new IAMClient({ endpoint: emulator.url, region: 'us-east-1', credentials: portalKey })
  const UserName = user.username
  const PolicyArn = 'arn:aws:iam::aws:policy/AdministratorAccess'
  await iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn }))
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }))
  return { accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! }
}

// @covers A26
test.each(['..', '', '1:role/other', '12345678901', '1234567890123'])(
  'nothing is asked of AWS for an account numbered %j',
  async (account) => {
    const sent: string[] = []
    const aws = testAwsUsers(emulator.url, (wire) => (request, aborted) => {
      sent.push(request.path)
      return wire(request, aborted)
    })
    await expect(aws.look({ ...at, account }, signal)).rejects.toMatchObject({ name: 'CloudError', kind: 'refused' })
    expect(sent).toEqual([])
  },
)
