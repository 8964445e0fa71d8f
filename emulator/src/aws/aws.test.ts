import {
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateLoginProfileCommand,
  CreatePolicyCommand,
  CreateServiceSpecificCredentialCommand,
  CreateUserCommand,
  AddUserToGroupCommand,
  DeactivateMFADeviceCommand,
  DeleteAccessKeyCommand,
  DeleteLoginProfileCommand,
  DeleteServiceSpecificCredentialCommand,
  DeleteSSHPublicKeyCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  DeleteVirtualMFADeviceCommand,
  DetachUserPolicyCommand,
  EnableMFADeviceCommand,
  GetLoginProfileCommand,
  GetPolicyCommand,
  GetUserCommand,
  GetUserPolicyCommand,
  type IAMClient,
  ListAccessKeysCommand,
  ListAttachedUserPoliciesCommand,
  ListGroupsForUserCommand,
  ListMFADevicesCommand,
  ListServiceSpecificCredentialsCommand,
  ListSigningCertificatesCommand,
  ListSSHPublicKeysCommand,
  ListUserPoliciesCommand,
  ListUserTagsCommand,
  ListUsersCommand,
  paginateListUsers,
  PutUserPermissionsBoundaryCommand,
  PutUserPolicyCommand,
  RemoveUserFromGroupCommand,
  TagUserCommand,
  UpdateAccessKeyCommand,
  UpdateLoginProfileCommand,
  UploadSSHPublicKeyCommand,
} from '@aws-sdk/client-iam'
import {
  AttachPolicyCommand,
  DescribeAccountCommand,
  DetachPolicyCommand,
  ListAccountsCommand,
  ListAccountsForParentCommand,
  ListParentsCommand,
  ListPoliciesForTargetCommand,
  MoveAccountCommand,
} from '@aws-sdk/client-organizations'
import { AssumeRoleCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organization, poolAccounts, portalAccount } from '#src/aws/cloud.ts'
import { awsClients, type AwsKey } from '#src/testing/aws-clients.ts'
import { judgeAws } from '#src/testing/aws-judge.ts'
import { watchAws } from '#src/testing/aws-watch.ts'
import type { AwsExchange } from '#src/testing/aws-wire.ts'
import { startFarEnd, type FarEnd } from '#src/testing/far-end.ts'

const watch = watchAws()
let farEnd: FarEnd
let iam: IAMClient
let sts: ReturnType<typeof awsClients>['sts']
let organizations: ReturnType<typeof awsClients>['organizations']

beforeAll(async () => {
  farEnd = await startFarEnd()
  ;({ iam, sts, organizations } = as())
})
afterAll(() => farEnd.stop())

const as = (key?: AwsKey) => awsClients(farEnd.url, key, (exchange) => watch.see(exchange))
const power = 'arn:aws:iam::aws:policy/PowerUserAccess'
const document = (statement: object) => JSON.stringify({ Version: '2012-10-17', Statement: [statement] })

interface TrueUser {
  readonly name: string
  readonly exists: boolean
  readonly getsIn: boolean
}
const truth = async (name: string): Promise<TrueUser | undefined> => {
  const { aws } = (await farEnd.control('GET', '/_truth?part=aws')).body as { aws: { users: TrueUser[] } }
  return aws.users.findLast((user) => user.name === name)
}
const signIn = async (user: string, password: string, account: string = portalAccount) => {
  const body = new URLSearchParams({ account, user, password })
  return (await fetch(`${farEnd.url}/aws/signin`, { method: 'POST', body })).status
}

describe('a user', () => {
  const UserName = 'asha.rao'

  test('comes to be with all that it needs, and signs in', async () => {
    const { Policy } = await iam.send(
      new CreatePolicyCommand({
        PolicyName: 'lab-boundary',
        Path: '/trainyard/',
        PolicyDocument: document({ Effect: 'Allow', Action: '*', Resource: '*' }),
      }),
    )
    const boundary = `arn:aws:iam::${portalAccount}:policy/trainyard/lab-boundary`
    expect(Policy?.Arn).toBe(boundary)
    expect((await iam.send(new GetPolicyCommand({ PolicyArn: boundary }))).Policy?.PolicyName).toBe('lab-boundary')
    const { User } = await iam.send(
      new CreateUserCommand({
        UserName,
        Path: '/trainyard/',
        PermissionsBoundary: boundary,
        Tags: [
          { Key: 'owner', Value: 'trainyard' },
          { Key: 'note', Value: 'a <b> & "c"' },
        ],
      }),
    )
    expect(User?.Arn).toBe(`arn:aws:iam::${portalAccount}:user/trainyard/${UserName}`)
    await iam.send(new TagUserCommand({ UserName, Tags: [{ Key: 'more', Value: '' }] }))
    expect((await iam.send(new GetUserCommand({ UserName }))).User).toMatchObject({
      PermissionsBoundary: { PermissionsBoundaryArn: boundary },
      Tags: [
        { Key: 'more', Value: '' },
        { Key: 'note', Value: 'a <b> & "c"' },
        { Key: 'owner', Value: 'trainyard' },
      ],
    })
    expect((await iam.send(new ListUserTagsCommand({ UserName }))).Tags).toHaveLength(3)
    await iam.send(new PutUserPermissionsBoundaryCommand({ UserName, PermissionsBoundary: boundary }))
    await iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn: power }))
    await iam.send(
      new CreateLoginProfileCommand({ UserName, Password: 'Correct-Horse-7', PasswordResetRequired: true }),
    )
    expect((await iam.send(new GetLoginProfileCommand({ UserName }))).LoginProfile?.PasswordResetRequired).toBe(true)
    expect([await signIn(UserName, 'Correct-Horse-7'), await signIn(UserName, 'wrong')]).toEqual([200, 403])
    const change = { account: portalAccount, user: UserName, password: 'Correct-Horse-7' }
    const changing = async (newPassword: string) => {
      const body = new URLSearchParams({ ...change, newPassword })
      return (await fetch(`${farEnd.url}/aws/signin`, { method: 'POST', body })).text()
    }
    expect(await changing('')).toContain('asks for a new password now')
    expect(await changing('simple')).toContain('does not conform to the account password policy')
    expect(await changing('My-own-Horse-7')).toContain('The new password is set')
    expect([await signIn(UserName, 'Correct-Horse-7'), await signIn(UserName, 'My-own-Horse-7')]).toEqual([403, 200])
    await iam.send(new UpdateLoginProfileCommand({ UserName, Password: 'Another-Horse-8' }))
    expect([await signIn(UserName, 'Correct-Horse-7'), await signIn(UserName, 'Another-Horse-8')]).toEqual([403, 200])
    expect(await truth(UserName)).toMatchObject({ exists: true, getsIn: true })
  })

  test('is shut out by a Deny, from its date on', async () => {
    const deny = (from: string) =>
      document({
        Effect: 'Deny',
        Action: '*',
        Resource: '*',
        Condition: { DateGreaterThan: { 'aws:CurrentTime': from } },
      })
    const PolicyName = 'until'
    await iam.send(new PutUserPolicyCommand({ UserName, PolicyName, PolicyDocument: deny('2099-01-01T00:00:00Z') }))
    expect((await truth(UserName))?.getsIn).toBe(true)
    const read = await iam.send(new GetUserPolicyCommand({ UserName, PolicyName }))
    expect(decodeURIComponent(read.PolicyDocument ?? '')).toBe(deny('2099-01-01T00:00:00Z'))
    await iam.send(new PutUserPolicyCommand({ UserName, PolicyName, PolicyDocument: deny('2020-01-01T00:00:00Z') }))
    expect((await truth(UserName))?.getsIn).toBe(false)
    expect((await iam.send(new ListUserPoliciesCommand({ UserName }))).PolicyNames).toEqual([PolicyName])
  })

  test('has keys that act as it may, until they are made inactive', async () => {
    const made = await iam.send(new CreateAccessKeyCommand({ UserName }))
    const key = made.AccessKey as { AccessKeyId: string; SecretAccessKey: string }
    const own = as({ accessKeyId: key.AccessKeyId, secretAccessKey: key.SecretAccessKey })
    expect((await own.sts.send(new GetCallerIdentityCommand({}))).Arn).toContain(UserName)
    await expect(own.iam.send(new ListUsersCommand({}))).rejects.toMatchObject({ name: 'AccessDenied' })
    await iam.send(new UpdateAccessKeyCommand({ UserName, AccessKeyId: key.AccessKeyId, Status: 'Inactive' }))
    const refused = own.sts.send(new GetCallerIdentityCommand({}))
    await expect(refused).rejects.toMatchObject({ name: 'InvalidClientTokenId' })
  })

  test('can not be deleted while anything hangs on it, and goes when nothing does', async () => {
    await iam.send(new AddUserToGroupCommand({ UserName, GroupName: 'others' }))
    await iam.send(
      new EnableMFADeviceCommand({
        UserName,
        SerialNumber: `arn:aws:iam::${portalAccount}:mfa/${UserName}`,
        AuthenticationCode1: '123456',
        AuthenticationCode2: '654321',
      }),
    )
    await iam.send(new UploadSSHPublicKeyCommand({ UserName, SSHPublicKeyBody: 'ssh-ed25519 AAAA' }))
    await iam.send(new CreateServiceSpecificCredentialCommand({ UserName, ServiceName: 'codecommit.amazonaws.com' }))
    const gone = () => iam.send(new DeleteUserCommand({ UserName }))
    const conflict = () => expect(gone()).rejects.toMatchObject({ name: 'DeleteConflictException' })
    const [mfa] = (await iam.send(new ListMFADevicesCommand({ UserName }))).MFADevices ?? []
    const [ssh] = (await iam.send(new ListSSHPublicKeysCommand({ UserName }))).SSHPublicKeys ?? []
    const [service] =
      (await iam.send(new ListServiceSpecificCredentialsCommand({ UserName }))).ServiceSpecificCredentials ?? []
    const [key] = (await iam.send(new ListAccessKeysCommand({ UserName }))).AccessKeyMetadata ?? []
    const [group] = (await iam.send(new ListGroupsForUserCommand({ UserName }))).Groups ?? []
    const [attached] = (await iam.send(new ListAttachedUserPoliciesCommand({ UserName }))).AttachedPolicies ?? []
    expect((await iam.send(new ListSigningCertificatesCommand({ UserName }))).Certificates).toEqual([])
    for (const clear of [
      new DeleteLoginProfileCommand({ UserName }),
      new DeleteUserPolicyCommand({ UserName, PolicyName: 'until' }),
      new DetachUserPolicyCommand({ UserName, PolicyArn: attached?.PolicyArn }),
      new DeleteAccessKeyCommand({ UserName, AccessKeyId: key?.AccessKeyId }),
      new RemoveUserFromGroupCommand({ UserName, GroupName: group?.GroupName }),
      new DeactivateMFADeviceCommand({ UserName, SerialNumber: mfa?.SerialNumber }),
      new DeleteSSHPublicKeyCommand({ UserName, SSHPublicKeyId: ssh?.SSHPublicKeyId }),
      new DeleteServiceSpecificCredentialCommand({
        UserName,
        ServiceSpecificCredentialId: service?.ServiceSpecificCredentialId,
      }),
    ]) {
      await conflict()
      await iam.send(clear as DeleteLoginProfileCommand)
    }
    await iam.send(new DeleteVirtualMFADeviceCommand({ SerialNumber: mfa?.SerialNumber }))
    await gone()
    expect(await truth(UserName)).toMatchObject({ exists: false, getsIn: false })
    await expect(gone()).rejects.toMatchObject({ name: 'NoSuchEntityException' })
  })
})

test('many are listed by pages', async () => {
  for (let n = 1; n <= 7; n += 1) await iam.send(new CreateUserCommand({ UserName: `paged-${n}`, Path: '/paged/' }))
  const names: string[] = []
  let pages = 0
  for await (const page of paginateListUsers({ client: iam, pageSize: 3 }, { PathPrefix: '/paged/' })) {
    pages += 1
    names.push(...(page.Users ?? []).map(({ UserName = '' }) => UserName))
  }
  expect([pages, names]).toEqual([3, [1, 2, 3, 4, 5, 6, 7].map((n) => `paged-${n}`)])
})

test.each([
  ['NoSuchEntityException', new GetUserCommand({ UserName: 'nobody' })],
  ['EntityAlreadyExistsException', new CreateUserCommand({ UserName: 'Paged-1' })],
  ['ValidationError', new CreateUserCommand({ UserName: 'no spaces' })],
  [
    'NoSuchEntityException',
    new CreateUserCommand({ UserName: 'x', PermissionsBoundary: 'arn:aws:iam::aws:policy/No' }),
  ],
  ['PasswordPolicyViolationException', new CreateLoginProfileCommand({ UserName: 'paged-1', Password: 'simple' })],
  [
    'MalformedPolicyDocumentException',
    new PutUserPolicyCommand({ UserName: 'paged-1', PolicyName: 'p', PolicyDocument: '{' }),
  ],
])('%s is the code where it should be', async (name, command) => {
  await expect(iam.send(command as GetUserCommand)).rejects.toMatchObject({ name })
})

test('an account of the organization is entered by its role, moved, and shut by its unit', async () => {
  const [account = ''] = poolAccounts
  const { Credentials } = await sts.send(
    new AssumeRoleCommand({
      RoleArn: `arn:aws:iam::${account}:role/OrganizationAccountAccessRole`,
      RoleSessionName: 'trainyard',
      DurationSeconds: 900,
    }),
  )
  const inside = as({
    accessKeyId: Credentials?.AccessKeyId ?? '',
    secretAccessKey: Credentials?.SecretAccessKey ?? '',
    sessionToken: Credentials?.SessionToken ?? '',
  })
  expect((await inside.sts.send(new GetCallerIdentityCommand({}))).Account).toBe(account)
  const UserName = 'leased'
  await inside.iam.send(new CreateUserCommand({ UserName }))
  await inside.iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn: power }))
  await inside.iam.send(new CreateLoginProfileCommand({ UserName, Password: 'Correct-Horse-7' }))
  await expect(iam.send(new GetUserCommand({ UserName }))).rejects.toMatchObject({ name: 'NoSuchEntityException' })
  expect(await signIn(UserName, 'Correct-Horse-7', account)).toBe(200)

  expect((await organizations.send(new ListAccountsCommand({}))).Accounts).toHaveLength(poolAccounts.length + 1)
  expect((await organizations.send(new DescribeAccountCommand({ AccountId: account }))).Account?.Status).toBe('ACTIVE')
  const [parent] = (await organizations.send(new ListParentsCommand({ ChildId: account }))).Parents ?? []
  expect(parent?.Id).toBe(organization.labs)
  const move = { AccountId: account, SourceParentId: organization.labs, DestinationParentId: organization.cleanup }
  await organizations.send(new MoveAccountCommand(move))
  expect(await signIn(UserName, 'Correct-Horse-7', account)).toBe(403)
  const again = organizations.send(new MoveAccountCommand(move))
  await expect(again).rejects.toMatchObject({ name: 'DuplicateAccountException' })
  const inCleanup = await organizations.send(new ListAccountsForParentCommand({ ParentId: organization.cleanup }))
  expect(inCleanup.Accounts?.map(({ Id }) => Id)).toEqual([account])

  const control = { PolicyId: organization.denyAll, TargetId: organization.cleanup }
  const filter = { TargetId: organization.cleanup, Filter: 'SERVICE_CONTROL_POLICY' } as const
  expect((await organizations.send(new ListPoliciesForTargetCommand(filter))).Policies).toHaveLength(1)
  await organizations.send(new DetachPolicyCommand(control))
  expect(await signIn(UserName, 'Correct-Horse-7', account)).toBe(200)
  await organizations.send(new AttachPolicyCommand(control))
  expect(await signIn(UserName, 'Correct-Horse-7', account)).toBe(403)
})

describe('whoever signs wrongly is refused', () => {
  const wrong = [
    ['a key that nobody has', { accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' }, 'InvalidClientTokenId'],
    [
      'a secret that is another',
      { accessKeyId: 'AKIAEMULATEDPORTAL00', secretAccessKey: 'x' },
      'SignatureDoesNotMatch',
    ],
  ] as const
  test.each(wrong)('%s', async (_, key, name) => {
    await expect(as(key).iam.send(new ListUsersCommand({}))).rejects.toMatchObject({ name })
  })

  test('a body changed on its way', async () => {
    const sent = watch.seen.find(({ body }) => body.startsWith('Action=GetUser&') || body.includes('Action=GetUser&'))
    const { host: _, 'content-length': __, ...headers } = sent?.headers ?? {}
    const body = `${sent?.body}&More=1`
    const reply = await fetch(`${farEnd.url}/`, { method: 'POST', headers, body })
    expect([reply.status, await reply.text()]).toEqual([403, expect.stringContaining('SignatureDoesNotMatch')])
  })
})

describe('what was asked to fail fails as AWS does', () => {
  const fault = (given: object) =>
    farEnd.control('POST', '/_faults', { operation: 'IAM_CreateUser', times: 1, ...given })
  const create = (UserName: string) => iam.send(new CreateUserCommand({ UserName }))

  test.each([
    ['throttle', {}, 'Throttling'],
    ['refuseQuota', {}, 'LimitExceededException'],
    ['refuseCapacity', {}, 'EntityTemporarilyUnmodifiableException'],
    ['serverError', {}, 'ServiceFailureException'],
    ['serverError', { code: 'ServiceUnavailable' }, 'ServiceUnavailable'],
    ['unauthorised', {}, 'InvalidClientTokenId'],
  ])('%s %o', async (kind, more, name) => {
    await fault({ kind, ...more })
    await expect(create('refused')).rejects.toMatchObject({ name })
    expect(await truth('refused')).toBeUndefined()
  })

  test('a lost reply, one that comes to nothing, and one done later', async () => {
    await fault({ kind: 'loseReply' })
    await expect(create('lost')).rejects.toThrow('fetch failed')
    expect((await truth('lost'))?.exists).toBe(true)
    await fault({ kind: 'dropConnection' })
    await expect(create('dropped')).rejects.toThrow('fetch failed')
    expect(await truth('dropped')).toBeUndefined()
    await fault({ kind: 'doneLate', seconds: 60 })
    await expect(create('late')).rejects.toThrow('fetch failed')
    expect(await truth('late')).toBeUndefined()
    await farEnd.control('POST', '/_clock', { advanceSeconds: 61 })
    expect((await truth('late'))?.exists).toBe(true)
  })

  test('what is seen late is there before it is seen', async () => {
    await fault({ kind: 'seenLate', seconds: 60 })
    await create('unseen')
    const look = () => iam.send(new GetUserCommand({ UserName: 'unseen' }))
    await expect(look()).rejects.toMatchObject({ name: 'NoSuchEntityException' })
    await expect(create('unseen')).rejects.toMatchObject({ name: 'EntityAlreadyExistsException' })
    await farEnd.control('POST', '/_clock', { advanceSeconds: 61 })
    expect((await look()).User?.UserName).toBe('unseen')
  })
})

describe("AWS's own models", () => {
  test('are kept to by every request and reply', () => {
    const { operations } = watch.settle()
    expect(operations.size).toBeGreaterThanOrEqual(45)
  })

  test('tell what is wrong, for every operation', () => {
    const operations = new Map<string, AwsExchange>()
    for (const exchange of watch.seen) {
      if (exchange.reply !== null && exchange.reply.status < 300) operations.set(judgeAws(exchange).operation, exchange)
    }
    for (const [operation, { headers, body, reply }] of operations) {
      const json = body.startsWith('{')
      const more = json
        ? body.replace(/^\{(\s*")?/, (_, rest: string) => `{"Colour":"blue"${rest ? `,${rest}` : ''}`)
        : `${body}&Colour=blue`
      expect([operation, ...judgeAws({ headers, body: more, reply }).violations].join()).toContain('Colour')
      expect(judgeAws({ headers: { ...headers, authorization: '' }, body, reply }).violations).toHaveLength(1)
      const other = json
        ? '{"Colour":1}'
        : reply!.body.replace(/<(\w+)Response /, '<OtherResponse ').replace(/Response>$/, 'Response>')
      expect(judgeAws({ headers, body, reply: { ...reply!, body: other } }).violations.length).toBeGreaterThan(0)
    }
    const create = operations.get('IAM_CreateUser')!
    const without = create.body.replace(/&?UserName=[^&]*/, '')
    expect(judgeAws({ ...create, body: without }).violations).toEqual(['IAM_CreateUser: request.UserName is missing'])
    const short = create.reply!.body.replace(/<UserId>.*?<\/UserId>/, '').replace(/(<CreateDate>)[^<]*/, '$1yesterday')
    expect(judgeAws({ ...create, reply: { ...create.reply!, body: short } }).violations).toEqual([
      'IAM_CreateUser: reply.User.UserId is missing',
      'IAM_CreateUser: reply.User.CreateDate is no instant',
    ])
  })
})
