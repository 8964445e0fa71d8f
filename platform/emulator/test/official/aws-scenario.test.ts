import {
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateLoginProfileCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteLoginProfileCommand,
  DeleteUserCommand,
  DetachUserPolicyCommand,
  GetLoginProfileCommand,
  paginateListAccessKeys,
  paginateListAttachedUserPolicies,
  UpdateAccessKeyCommand,
  waitUntilUserExists,
  type IAMClient,
} from '@aws-sdk/client-iam'
import {
  DescribeAccountCommand,
  ListParentsCommand,
  MoveAccountCommand,
  paginateListAccountsForParent,
} from '@aws-sdk/client-organizations'
import { AssumeRoleCommand, GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts'
import { expect, test } from 'vitest'
import { organization, poolAccounts, portalAccount } from '@trainyard/sandbox-aws/emulator/cloud.ts'
import { printVersions } from './package-version.ts'
import { awsClients, type AwsKey } from '../aws-clients.ts'
import { sharedTestEmulator } from '../shared-test-emulator.ts'

const emulator = await sharedTestEmulator()

/** AWS's own clients with their default retries. */
const as = (key?: AwsKey) => awsClients(emulator.url, key, () => {}, {})
const POWER_USER_POLICY = 'arn:aws:iam::aws:policy/PowerUserAccess'

async function signIn(user: string, account: string): Promise<number> {
  const body = new URLSearchParams({ account, user, password: 'Correct-Horse-7' })
  return (await fetch(`${emulator.url}/aws/signin`, { method: 'POST', body })).status
}

/** Creates a user with a password, an access key and permissions. Returns the key. */
async function createFullUser(iam: IAMClient, UserName: string): Promise<AwsKey & { accessKeyId: string }> {
  await iam.send(new CreateUserCommand({ UserName, Tags: [{ Key: 'owner', Value: 'trainyard' }] }))
  const waitResult = await waitUntilUserExists({ client: iam, maxWaitTime: 10, minDelay: 1 }, { UserName })
  expect(waitResult.state).toBe('SUCCESS')
  await iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn: POWER_USER_POLICY }))
  await iam.send(new CreateLoginProfileCommand({ UserName, Password: 'Correct-Horse-7', PasswordResetRequired: true }))
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }))
  return { accessKeyId: AccessKey?.AccessKeyId ?? '', secretAccessKey: AccessKey?.SecretAccessKey ?? '' }
}

/** Deletes a user and everything attached to it, found through AWS's own paginators. */
async function deleteFullUser(iam: IAMClient, UserName: string): Promise<void> {
  await iam.send(new DeleteLoginProfileCommand({ UserName }))
  for await (const { AccessKeyMetadata = [] } of paginateListAccessKeys({ client: iam }, { UserName })) {
    for (const { AccessKeyId } of AccessKeyMetadata)
      await iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId }))
  }
  for await (const { AttachedPolicies = [] } of paginateListAttachedUserPolicies({ client: iam }, { UserName })) {
    for (const { PolicyArn } of AttachedPolicies) await iam.send(new DetachUserPolicyCommand({ UserName, PolicyArn }))
  }
  await iam.send(new DeleteUserCommand({ UserName }))
}

async function assumeRole(sts: STSClient, account: string) {
  const { Credentials } = await sts.send(
    new AssumeRoleCommand({
      RoleArn: `arn:aws:iam::${account}:role/OrganizationAccountAccessRole`,
      RoleSessionName: 'trainyard',
      DurationSeconds: 900,
    }),
  )
  return as({
    accessKeyId: Credentials?.AccessKeyId ?? '',
    secretAccessKey: Credentials?.SecretAccessKey ?? '',
    sessionToken: Credentials?.SessionToken ?? '',
  })
}

test(
  "manages an IAM user with AWS's clients despite throttling and delayed visibility",
  { tags: ['storm'] },
  async () => {
    printVersions('@aws-sdk/client-iam', '@aws-sdk/client-sts', '@aws-sdk/client-organizations')
    const { iam } = as()
    await emulator.control('POST', '/_faults', { kind: 'throttle', operation: 'IAM_AttachUserPolicy', times: 1 })
    await emulator.control('POST', '/_faults', { kind: 'seenLate', operation: 'IAM_CreateUser', seconds: 1, times: 1 })
    const key = await createFullUser(iam, 'asha')
    const userClients = as(key)
    expect((await userClients.sts.send(new GetCallerIdentityCommand({}))).Arn).toBe(
      `arn:aws:iam::${portalAccount}:user/asha`,
    )
    expect(await signIn('asha', portalAccount)).toBe(200)
    const profile = await iam.send(new GetLoginProfileCommand({ UserName: 'asha' }))
    expect(profile.LoginProfile).toMatchObject({ UserName: 'asha', PasswordResetRequired: true })
    const keyReference = { UserName: 'asha', AccessKeyId: key.accessKeyId }
    await iam.send(new UpdateAccessKeyCommand({ ...keyReference, Status: 'Inactive' }))
    await expect(userClients.sts.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({
      name: 'InvalidClientTokenId',
    })
    await deleteFullUser(iam, 'asha')
    expect(await signIn('asha', portalAccount)).toBe(403)
    await expect(iam.send(new DeleteUserCommand({ UserName: 'asha' }))).rejects.toMatchObject({
      name: 'NoSuchEntityException',
    })
  },
)

test('leases an account by its role, moves it for clean-up and back', async () => {
  const { organizations, sts } = as()
  const free: string[] = []
  const pages = paginateListAccountsForParent({ client: organizations, pageSize: 4 }, { ParentId: organization.labs })
  let count = 0
  for await (const { Accounts = [] } of pages) {
    count += 1
    free.push(...Accounts.map(({ Id = '' }) => Id))
  }
  expect([count, free]).toEqual([3, poolAccounts])
  const [account = ''] = free
  const described = await organizations.send(new DescribeAccountCommand({ AccountId: account }))
  expect([described.Account?.State, described.Account?.Status]).toEqual(['ACTIVE', undefined])

  const accountClients = await assumeRole(sts, account)
  expect((await accountClients.sts.send(new GetCallerIdentityCommand({}))).Arn).toBe(
    `arn:aws:sts::${account}:assumed-role/OrganizationAccountAccessRole/trainyard`,
  )
  const key = await createFullUser(accountClients.iam, 'ben')
  expect(await signIn('ben', account)).toBe(200)

  const moveAccount = (from: string, to: string) =>
    organizations.send(new MoveAccountCommand({ AccountId: account, SourceParentId: from, DestinationParentId: to }))
  await moveAccount(organization.labs, organization.cleanup)
  const { Parents } = await organizations.send(new ListParentsCommand({ ChildId: account }))
  expect(Parents).toEqual([{ Id: organization.cleanup, Type: 'ORGANIZATIONAL_UNIT' }])
  expect(await signIn('ben', account)).toBe(403)
  await deleteFullUser(accountClients.iam, 'ben')
  await expect(as(key).sts.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({
    name: 'InvalidClientTokenId',
  })
  await moveAccount(organization.cleanup, organization.labs)
  await expect(moveAccount(organization.cleanup, organization.labs)).rejects.toMatchObject({
    name: 'DuplicateAccountException',
  })
})

test('refuses the role of one lab account to another: it trusts only the management account', async () => {
  const { sts } = as()
  const [firstAccount = '', secondAccount = ''] = poolAccounts
  const accountClients = await assumeRole(sts, firstAccount)
  await expect(assumeRole(accountClients.sts, secondAccount)).rejects.toMatchObject({ name: 'AccessDenied' })
  const user = as(await createFullUser(accountClients.iam, 'hopper'))
  await expect(assumeRole(user.sts, secondAccount)).rejects.toMatchObject({ name: 'AccessDenied' })
  await deleteFullUser(accountClients.iam, 'hopper')
})
