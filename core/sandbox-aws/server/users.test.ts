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
import { portalKey } from '../emulator/cloud.ts'
import { afterEach, expect, test } from 'vitest'
import { testAwsUsers } from '@trainyard/platform/test/adapters.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'

const emulator = await sharedEmulator()
// A fault that no call consumed, for example because a call timed out early, must not affect the next test.
afterEach(() => emulator.clearFaults())

const signal = new AbortController().signal
const until = new Date('2099-01-01T00:00:00Z')
const at = { id: '0198c0de-0000-7000-8000-000000000001', username: 'asha', account: null, until }

const fault = (options: object) => emulator.fault({ times: 1, ...options })

test.each([
  ['throttle', 'throttled', 'AWS throttled the request to read the user asha (Throttling). Try again later.', 33],
  [
    'refuseQuota',
    'quota',
    'A limit of the AWS account is reached. Request a higher limit, or delete unused resources. AWS: Cannot exceed quota for UsersPerAccount: 5000',
    null,
  ],
  [
    'unauthorised',
    'unauthorised',
    'AWS rejects the key of the portal (InvalidClientTokenId), so it cannot read the user asha. Check AWS_LAB_ACCESS_KEY_ID and AWS_LAB_SECRET_ACCESS_KEY.',
    null,
  ],
  ['serverError', 'unreachable', 'AWS failed to read the user asha (status 500).', null],
  ['dropConnection', 'unreachable', 'The request to AWS to read the user asha failed: no response.', null],
  ['hang', 'unreachable', 'AWS did not respond in time to the request to read the user asha.', null],
])('reports %s as %s with a sentence', async (injected, kind, message, retryAfter) => {
  await fault({ kind: injected, operation: 'IAM_GetUser', retryAfter: 33 })
  const timeoutMs = injected === 'hang' ? 250 : undefined
  await expect(testAwsUsers(emulator.url, undefined, timeoutMs).getState(at, signal)).rejects.toMatchObject({
    kind,
    message,
    retryAfter,
  })
})

test('treats a truncated response as unreachable', async () => {
  const aws = testAwsUsers(emulator.url)
  await aws.create({ ...at, password: 'Correct-Horse-7' }, signal)
  await fault({ kind: 'malformed', operation: 'IAM_GetUser' })
  await expect(aws.getState(at, signal)).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'The response from AWS could not be read.',
  })
  expect(await aws.getState(at, signal)).toEqual({ state: 'existing', secured: true })
  expect(await aws.getState({ ...at, id: 'another' }, signal)).toEqual({ state: 'foreign' })
})

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
])('never reads a proxy’s %s as an absent or created user', async (status, type, body) => {
  const { server, url } = await proxyWith(status, type, body)
  const aws = testAwsUsers(url)
  await expect(aws.getState(at, signal)).rejects.toMatchObject({ name: 'CloudError', kind: 'unreachable' })
  await expect(aws.remove(at, signal)).rejects.toMatchObject({ kind: 'unreachable' })
  server.close()
})

test('a lab user cannot assume other identities, whatever its policies allow', async () => {
  const own = { ...at, id: '0198c0de-0000-7000-8000-000000000002', username: 'curious' }
  const key = await keyOf(own)
  const userConfig = { endpoint: emulator.url, region: 'us-east-1', credentials: key, maxAttempts: 1 }
  const RoleArn = 'arn:aws:iam::200000000001:role/OrganizationAccountAccessRole'
  const become = new STSClient(userConfig).send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'somebody' }))
  await expect(become).rejects.toMatchObject({ name: 'AccessDenied' })
  const secondUser = new IAMClient(userConfig).send(new CreateUserCommand({ UserName: 'another' }))
  await expect(secondUser).rejects.toMatchObject({ name: 'AccessDenied' })
  const leaveGroup = new IAMClient(userConfig).send(
    new DeleteUserPolicyCommand({ UserName: 'curious', PolicyName: 'trainyard-until' }),
  )
  await expect(leaveGroup).rejects.toMatchObject({ name: 'AccessDenied' })
})

/** Returns an access key of a lab user with administrator permissions. */
async function keyOf(user: typeof at): Promise<{ accessKeyId: string; secretAccessKey: string }> {
  await testAwsUsers(emulator.url).create({ ...user, password: 'Correct-Horse-7' }, signal)
  const iam = new IAMClient({ endpoint: emulator.url, region: 'us-east-1', credentials: portalKey })
  const UserName = user.username
  const PolicyArn = 'arn:aws:iam::aws:policy/AdministratorAccess'
  await iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn }))
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }))
  return { accessKeyId: AccessKey!.AccessKeyId!, secretAccessKey: AccessKey!.SecretAccessKey! }
}

test.each(['..', '', '1:role/other', '12345678901', '1234567890123'])(
  'sends no request to AWS for an account numbered %j',
  async (account) => {
    const sent: string[] = []
    const aws = testAwsUsers(emulator.url, (wire) => (request, aborted) => {
      sent.push(request.path)
      return wire(request, aborted)
    })
    await expect(aws.getState({ ...at, account }, signal)).rejects.toMatchObject({
      name: 'CloudError',
      kind: 'refused',
    })
    expect(sent).toEqual([])
  },
)
