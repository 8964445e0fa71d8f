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
import { portalAccount } from '../cloud.ts'
import { awsClients } from '@trainyard/platform/emulator/test/aws-clients.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator({ latency: 1, clock: 'stepped' })
const iam = awsClients(emulator.url).iam
for (const UserName of ['asha', 'ben', 'chen']) await iam.send(new CreateUserCommand({ UserName }))

const password = 'Correct-Horse-7'

test('accepts a new access key after ten seconds, and at once after later status changes', async () => {
  const UserName = 'asha'
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }))
  const { AccessKeyId = '', SecretAccessKey = '' } = AccessKey ?? {}
  const userClients = awsClients(emulator.url, { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey })
  const getCallerIdentity = () => userClients.sts.send(new GetCallerIdentityCommand({}))
  await expect(getCallerIdentity()).rejects.toMatchObject({ name: 'InvalidClientTokenId' })
  await emulator.advance(9)
  await expect(getCallerIdentity()).rejects.toMatchObject({ name: 'InvalidClientTokenId' })
  await emulator.advance(1)
  expect((await getCallerIdentity()).Arn).toContain('user/asha')
  for (const Status of ['Inactive', 'Active'] as const) {
    await iam.send(new UpdateAccessKeyCommand({ UserName, AccessKeyId, Status }))
  }
  const [listed] = (await iam.send(new ListAccessKeysCommand({ UserName }))).AccessKeyMetadata ?? []
  expect(listed?.CreateDate).toEqual(AccessKey?.CreateDate)
  expect((await getCallerIdentity()).Arn).toContain('user/asha')
})

test('refuses changes of a login profile and a new MFA device in the first ten seconds', async () => {
  const UserName = 'ben'
  await iam.send(new CreateLoginProfileCommand({ UserName, Password: password }))
  const createdAt = (await iam.send(new GetLoginProfileCommand({ UserName }))).LoginProfile?.CreateDate
  const device = {
    UserName,
    SerialNumber: `arn:aws:iam::${portalAccount}:mfa/ben`,
    AuthenticationCode1: '123456',
    AuthenticationCode2: '654321',
  }
  const errorName = 'EntityTemporarilyUnmodifiableException'
  const message = 'Login Profile for User ben cannot be modified while login profile is being created.'
  const update = () => iam.send(new UpdateLoginProfileCommand({ UserName, Password: 'Another-Horse-8' }))
  const deleteProfile = () => iam.send(new DeleteLoginProfileCommand({ UserName }))
  await expect(update()).rejects.toMatchObject({ name: errorName, message: message })
  await expect(deleteProfile()).rejects.toMatchObject({ name: errorName, message: message })
  await expect(iam.send(new EnableMFADeviceCommand(device))).rejects.toMatchObject({ name: errorName })
  await emulator.advance(10)
  await update()
  expect((await iam.send(new GetLoginProfileCommand({ UserName }))).LoginProfile?.CreateDate).toEqual(createdAt)
  await iam.send(new EnableMFADeviceCommand(device))
  await deleteProfile()
})

test.each([
  ['Short-7', 'too short'],
  ['onlysmalls7', 'two classes'],
  ['small letters 7', 'a space, which belongs to no class'],
  ['größe-klein', 'a letter of no class'],
  [`Aa1-${'x'.repeat(125)}`, 'too long'],
  ['chen', "the user's name"],
])('refuses the password %s under the default policy: %s', async (Password) => {
  const refused = iam.send(new CreateLoginProfileCommand({ UserName: 'chen', Password }))
  await expect(refused).rejects.toMatchObject({ name: 'PasswordPolicyViolationException' })
})

test('refuses statuses and tags that IAM does not have', async () => {
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
