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
import { organization, poolAccounts, portalAccount } from '#src/aws/cloud.ts'
import { sayVersions } from '#test/official/package-version.ts'
import { awsClients, type AwsKey } from '#test/aws-clients.ts'
import { sharedFarEnd } from '#test/shared.ts'

const farEnd = await sharedFarEnd()

/** AWS's own clients with the retries that they choose. */
const as = (key?: AwsKey) => awsClients(farEnd.url, key, () => {}, {})
const power = 'arn:aws:iam::aws:policy/PowerUserAccess'

async function signIn(user: string, account: string): Promise<number> {
  const body = new URLSearchParams({ account, user, password: 'Correct-Horse-7' })
  return (await fetch(`${farEnd.url}/aws/signin`, { method: 'POST', body })).status
}

/** A user with login, keys and rights, as AWS's own waiter waits for them. Returns the keys. */
async function giveLife(iam: IAMClient, UserName: string): Promise<AwsKey & { accessKeyId: string }> {
  await iam.send(new CreateUserCommand({ UserName, Tags: [{ Key: 'owner', Value: 'trainyard' }] }))
  const waited = await waitUntilUserExists({ client: iam, maxWaitTime: 10, minDelay: 1 }, { UserName })
  expect(waited.state).toBe('SUCCESS')
  await iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn: power }))
  await iam.send(new CreateLoginProfileCommand({ UserName, Password: 'Correct-Horse-7', PasswordResetRequired: true }))
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }))
  return { accessKeyId: AccessKey?.AccessKeyId ?? '', secretAccessKey: AccessKey?.SecretAccessKey ?? '' }
}

/** Takes all that by AWS's own pages hangs on the user, then the user. */
async function takeLife(iam: IAMClient, UserName: string): Promise<void> {
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

async function enter(sts: STSClient, account: string) {
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

test("AWS's clients live an IAM user's life, over throttling and late sight", async () => {
  sayVersions('@aws-sdk/client-iam', '@aws-sdk/client-sts', '@aws-sdk/client-organizations')
  const { iam } = as()
  await farEnd.control('POST', '/_faults', { kind: 'throttle', operation: 'IAM_AttachUserPolicy', times: 1 })
  await farEnd.control('POST', '/_faults', { kind: 'seenLate', operation: 'IAM_CreateUser', seconds: 1, times: 1 })
  const key = await giveLife(iam, 'asha')
  const own = as(key)
  expect((await own.sts.send(new GetCallerIdentityCommand({}))).Arn).toBe(`arn:aws:iam::${portalAccount}:user/asha`)
  expect(await signIn('asha', portalAccount)).toBe(200)
  const profile = await iam.send(new GetLoginProfileCommand({ UserName: 'asha' }))
  expect(profile.LoginProfile).toMatchObject({ UserName: 'asha', PasswordResetRequired: true })
  const kept = { UserName: 'asha', AccessKeyId: key.accessKeyId }
  await iam.send(new UpdateAccessKeyCommand({ ...kept, Status: 'Inactive' }))
  await expect(own.sts.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({ name: 'InvalidClientTokenId' })
  await takeLife(iam, 'asha')
  expect(await signIn('asha', portalAccount)).toBe(403)
  await expect(iam.send(new DeleteUserCommand({ UserName: 'asha' }))).rejects.toMatchObject({
    name: 'NoSuchEntityException',
  })
})

test('an account is leased by its role, moved to be cleaned, and back', async () => {
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

  const inside = await enter(sts, account)
  expect((await inside.sts.send(new GetCallerIdentityCommand({}))).Arn).toBe(
    `arn:aws:sts::${account}:assumed-role/OrganizationAccountAccessRole/trainyard`,
  )
  const key = await giveLife(inside.iam, 'ben')
  expect(await signIn('ben', account)).toBe(200)

  const move = (from: string, to: string) =>
    organizations.send(new MoveAccountCommand({ AccountId: account, SourceParentId: from, DestinationParentId: to }))
  await move(organization.labs, organization.cleanup)
  const { Parents } = await organizations.send(new ListParentsCommand({ ChildId: account }))
  expect(Parents).toEqual([{ Id: organization.cleanup, Type: 'ORGANIZATIONAL_UNIT' }])
  expect(await signIn('ben', account)).toBe(403)
  await takeLife(inside.iam, 'ben')
  await expect(as(key).sts.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({
    name: 'InvalidClientTokenId',
  })
  await move(organization.cleanup, organization.labs)
  await expect(move(organization.cleanup, organization.labs)).rejects.toMatchObject({
    name: 'DuplicateAccountException',
  })
})

test("nobody gets from one lab account into another: the role trusts the organization's own account", async () => {
  const { sts } = as()
  const [one = '', other = ''] = poolAccounts
  const inside = await enter(sts, one)
  await expect(enter(inside.sts, other)).rejects.toMatchObject({ name: 'AccessDenied' })
  const user = as(await giveLife(inside.iam, 'hopper'))
  await expect(enter(user.sts, other)).rejects.toMatchObject({ name: 'AccessDenied' })
  await takeLife(inside.iam, 'hopper')
})
