import {
  AddUserToGroupCommand,
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateLoginProfileCommand,
  CreatePolicyCommand,
  CreateServiceSpecificCredentialCommand,
  CreateUserCommand,
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
  ListAccessKeysCommand,
  ListAttachedUserPoliciesCommand,
  ListGroupsForUserCommand,
  ListMFADevicesCommand,
  ListServiceSpecificCredentialsCommand,
  ListSigningCertificatesCommand,
  ListSSHPublicKeysCommand,
  ListUserPoliciesCommand,
  ListUsersCommand,
  ListUserTagsCommand,
  paginateListUsers,
  PutUserPermissionsBoundaryCommand,
  PutUserPolicyCommand,
  RemoveUserFromGroupCommand,
  TagUserCommand,
  UpdateAccessKeyCommand,
  UpdateLoginProfileCommand,
  UploadSSHPublicKeyCommand,
} from '@aws-sdk/client-iam'
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { afterAll, describe, expect, test } from 'vitest'
import { portalAccount } from '../cloud.ts'
import { startAwsLab } from '@trainyard/platform/emulator/test/aws-lab.ts'
import { successfulExchanges, undetectedViolations } from '@trainyard/platform/emulator/test/aws-violations.ts'
import { validateAws } from '@trainyard/platform/emulator/test/aws-validator.ts'

const { emulator, watch, clientsFor, iam, truth, signIn } = await startAwsLab()
afterAll(() => emulator.stop())

const POWER_USER_POLICY = 'arn:aws:iam::aws:policy/PowerUserAccess'
const document = (statement: object) => JSON.stringify({ Version: '2012-10-17', Statement: [statement] })

describe('users', () => {
  const UserName = 'asha.rao'

  test('creates a user with policies and password, who can sign in', async () => {
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
    await iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn: POWER_USER_POLICY }))
    await iam.send(
      new CreateLoginProfileCommand({ UserName, Password: 'Correct-Horse-7', PasswordResetRequired: true }),
    )
    expect((await iam.send(new GetLoginProfileCommand({ UserName }))).LoginProfile?.PasswordResetRequired).toBe(true)
    expect([await signIn(UserName, 'Correct-Horse-7'), await signIn(UserName, 'wrong')]).toEqual([200, 403])
    const change = { account: portalAccount, user: UserName, password: 'Correct-Horse-7' }
    const submitNewPassword = async (newPassword: string) => {
      const body = new URLSearchParams({ ...change, newPassword })
      return (await fetch(`${emulator.url}/aws/signin`, { method: 'POST', body })).text()
    }
    expect(await submitNewPassword('')).toContain('asks for a new password now')
    expect(await submitNewPassword('simple')).toContain('does not conform to the account password policy')
    expect(await submitNewPassword('My-own-Horse-7')).toContain('The new password is set')
    expect([await signIn(UserName, 'Correct-Horse-7'), await signIn(UserName, 'My-own-Horse-7')]).toEqual([403, 200])
    await iam.send(new UpdateLoginProfileCommand({ UserName, Password: 'Another-Horse-8' }))
    expect([await signIn(UserName, 'Correct-Horse-7'), await signIn(UserName, 'Another-Horse-8')]).toEqual([403, 200])
    expect(await truth(UserName)).toMatchObject({ exists: true, hasAccess: true })
  })

  test('denies everything from the date in a Deny statement', async () => {
    const deny = (from: string) =>
      document({
        Effect: 'Deny',
        Action: '*',
        Resource: '*',
        Condition: { DateGreaterThan: { 'aws:CurrentTime': from } },
      })
    const PolicyName = 'until'
    await iam.send(new PutUserPolicyCommand({ UserName, PolicyName, PolicyDocument: deny('2099-01-01T00:00:00Z') }))
    expect((await truth(UserName))?.hasAccess).toBe(true)
    const stored = await iam.send(new GetUserPolicyCommand({ UserName, PolicyName }))
    expect(decodeURIComponent(stored.PolicyDocument ?? '')).toBe(deny('2099-01-01T00:00:00Z'))
    await iam.send(new PutUserPolicyCommand({ UserName, PolicyName, PolicyDocument: deny('2020-01-01T00:00:00Z') }))
    expect((await truth(UserName))?.hasAccess).toBe(false)
    expect((await iam.send(new ListUserPoliciesCommand({ UserName }))).PolicyNames).toEqual([PolicyName])
  })

  test("accepts an access key with its user's permissions until it is made inactive", async () => {
    const created = await iam.send(new CreateAccessKeyCommand({ UserName }))
    const key = created.AccessKey as { AccessKeyId: string; SecretAccessKey: string }
    const userClients = clientsFor({ accessKeyId: key.AccessKeyId, secretAccessKey: key.SecretAccessKey })
    expect((await userClients.sts.send(new GetCallerIdentityCommand({}))).Arn).toContain(UserName)
    await expect(userClients.iam.send(new ListUsersCommand({}))).rejects.toMatchObject({ name: 'AccessDenied' })
    await iam.send(new UpdateAccessKeyCommand({ UserName, AccessKeyId: key.AccessKeyId, Status: 'Inactive' }))
    const refused = userClients.sts.send(new GetCallerIdentityCommand({}))
    await expect(refused).rejects.toMatchObject({ name: 'InvalidClientTokenId' })
  })

  test('refuses to delete a user while parts are attached', async () => {
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
    const deleteUser = () => iam.send(new DeleteUserCommand({ UserName }))
    const expectConflict = () => expect(deleteUser()).rejects.toMatchObject({ name: 'DeleteConflictException' })
    const [mfa] = (await iam.send(new ListMFADevicesCommand({ UserName }))).MFADevices ?? []
    const [ssh] = (await iam.send(new ListSSHPublicKeysCommand({ UserName }))).SSHPublicKeys ?? []
    const [service] =
      (await iam.send(new ListServiceSpecificCredentialsCommand({ UserName }))).ServiceSpecificCredentials ?? []
    const [key] = (await iam.send(new ListAccessKeysCommand({ UserName }))).AccessKeyMetadata ?? []
    const [group] = (await iam.send(new ListGroupsForUserCommand({ UserName }))).Groups ?? []
    const [attached] = (await iam.send(new ListAttachedUserPoliciesCommand({ UserName }))).AttachedPolicies ?? []
    expect((await iam.send(new ListSigningCertificatesCommand({ UserName }))).Certificates).toEqual([])
    for (const request of [
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
      await expectConflict()
      await iam.send(request as DeleteLoginProfileCommand)
    }
    await iam.send(new DeleteVirtualMFADeviceCommand({ SerialNumber: mfa?.SerialNumber }))
    await deleteUser()
    expect(await truth(UserName)).toMatchObject({ exists: false, hasAccess: false })
    await expect(deleteUser()).rejects.toMatchObject({ name: 'NoSuchEntityException' })
  })
})

test('lists many users in pages', async () => {
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
])('returns the error %s', async (name, command) => {
  await expect(iam.send(command as GetUserCommand)).rejects.toMatchObject({ name })
})

describe("AWS's own models", () => {
  test('match every request and reply', () => {
    expect(watch.validate().operations.size).toBeGreaterThanOrEqual(39)
  })

  test('detect violations in every operation', () => {
    const exchanges = successfulExchanges(watch.exchanges)
    for (const [operation, exchange] of exchanges)
      expect([operation, undetectedViolations(exchange)]).toEqual([operation, []])
    const create = exchanges.get('IAM_CreateUser')!
    const bodyWithoutUserName = create.body.replace(/&?UserName=[^&]*/, '')
    expect(validateAws({ ...create, body: bodyWithoutUserName }).violations).toEqual([
      'IAM_CreateUser: request.UserName is missing',
    ])
    const invalidReply = create.reply.body
      .replace(/<UserId>.*?<\/UserId>/, '')
      .replace(/(<CreateDate>)[^<]*/, '$1yesterday')
    expect(validateAws({ ...create, reply: { ...create.reply, body: invalidReply } }).violations).toEqual([
      'IAM_CreateUser: reply.User.UserId is missing',
      'IAM_CreateUser: reply.User.CreateDate is not a timestamp',
    ])
  })
})
