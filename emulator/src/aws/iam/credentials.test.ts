import {
  CreateAccessKeyCommand,
  CreateLoginProfileCommand,
  CreateUserCommand,
  DeleteLoginProfileCommand,
  EnableMFADeviceCommand,
  GetLoginProfileCommand,
  ListAccessKeysCommand,
  TagUserCommand,
  UpdateAccessKeyCommand,
  UpdateLoginProfileCommand,
} from '@aws-sdk/client-iam'
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { expect, test } from 'vitest'
import { portalAccount } from '#src/aws/cloud.ts'
import { awsClients } from '#test/aws-clients.ts'
import { sharedFarEnd } from '#test/shared.ts'

const farEnd = await sharedFarEnd({ latency: 1, clock: 'stepped' })
const iam = awsClients(farEnd.url).iam
for (const UserName of ['asha', 'ben', 'chen']) await iam.send(new CreateUserCommand({ UserName }))

const password = 'Correct-Horse-7'

test('a new access key is unknown for ten seconds, and then as old as it is, however often it changes', async () => {
  const UserName = 'asha'
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }))
  const { AccessKeyId = '', SecretAccessKey = '' } = AccessKey ?? {}
  const own = awsClients(farEnd.url, { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey })
  const ask = () => own.sts.send(new GetCallerIdentityCommand({}))
  await expect(ask()).rejects.toMatchObject({ name: 'InvalidClientTokenId' })
  await farEnd.advance(9)
  await expect(ask()).rejects.toMatchObject({ name: 'InvalidClientTokenId' })
  await farEnd.advance(1)
  expect((await ask()).Arn).toContain('user/asha')
  for (const Status of ['Inactive', 'Active'] as const) {
    await iam.send(new UpdateAccessKeyCommand({ UserName, AccessKeyId, Status }))
  }
  const [listed] = (await iam.send(new ListAccessKeysCommand({ UserName }))).AccessKeyMetadata ?? []
  expect(listed?.CreateDate).toEqual(AccessKey?.CreateDate)
  expect((await ask()).Arn).toContain('user/asha')
})

test('a new login profile is not changed in its first ten seconds, nor an MFA device put beside it', async () => {
  const UserName = 'ben'
  await iam.send(new CreateLoginProfileCommand({ UserName, Password: password }))
  const made = (await iam.send(new GetLoginProfileCommand({ UserName }))).LoginProfile?.CreateDate
  const device = {
    UserName,
    SerialNumber: `arn:aws:iam::${portalAccount}:mfa/ben`,
    AuthenticationCode1: '123456',
    AuthenticationCode2: '654321',
  }
  const early = 'EntityTemporarilyUnmodifiableException'
  const words = 'Login Profile for User ben cannot be modified while login profile is being created.'
  const update = () => iam.send(new UpdateLoginProfileCommand({ UserName, Password: 'Another-Horse-8' }))
  const drop = () => iam.send(new DeleteLoginProfileCommand({ UserName }))
  await expect(update()).rejects.toMatchObject({ name: early, message: words })
  await expect(drop()).rejects.toMatchObject({ name: early, message: words })
  await expect(iam.send(new EnableMFADeviceCommand(device))).rejects.toMatchObject({ name: early })
  await farEnd.advance(10)
  await update()
  expect((await iam.send(new GetLoginProfileCommand({ UserName }))).LoginProfile?.CreateDate).toEqual(made)
  await iam.send(new EnableMFADeviceCommand(device))
  await drop()
})

test.each([
  ['Short-7', 'too short'],
  ['onlysmalls7', 'two kinds'],
  ['small letters 7', 'a space, which is no kind'],
  ['größe-klein', 'a letter of no kind'],
  [`Aa1-${'x'.repeat(125)}`, 'too long'],
  ['chen', "the user's name"],
])('the default policy takes no password such as %s: %s', async (Password) => {
  const refused = iam.send(new CreateLoginProfileCommand({ UserName: 'chen', Password }))
  await expect(refused).rejects.toMatchObject({ name: 'PasswordPolicyViolationException' })
})

test('a status and tags that IAM does not have are refused', async () => {
  const UserName = 'chen'
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }))
  const status = { UserName, AccessKeyId: AccessKey?.AccessKeyId, Status: 'Asleep' as 'Active' }
  await expect(iam.send(new UpdateAccessKeyCommand(status))).rejects.toMatchObject({ name: 'ValidationError' })
  const tag = (...Tags: { Key: string; Value: string }[]) => iam.send(new TagUserCommand({ UserName, Tags }))
  await expect(tag({ Key: 'a', Value: '1' }, { Key: 'A', Value: '2' })).rejects.toMatchObject({
    name: 'InvalidInputException',
  })
  await expect(tag({ Key: 'x'.repeat(129), Value: '' })).rejects.toMatchObject({ name: 'ValidationError' })
  await expect(tag({ Key: 'x', Value: 'y'.repeat(257) })).rejects.toMatchObject({ name: 'ValidationError' })
})
