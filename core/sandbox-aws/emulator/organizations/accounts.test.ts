import {
  AttachUserPolicyCommand,
  CreateLoginProfileCommand,
  CreateUserCommand,
  GetUserCommand,
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
import { afterAll, describe, expect, test } from 'vitest'
import { organization, poolAccounts } from '../cloud.ts'
import { startAwsLab } from '@trainyard/platform/emulator/test/aws-lab.ts'
import { successfulExchanges, undetectedViolations } from '@trainyard/platform/emulator/test/aws-violations.ts'

const { emulator, watch, clientsFor, iam, sts, organizations, signIn } = await startAwsLab()
afterAll(() => emulator.stop())

const POWER_USER_POLICY = 'arn:aws:iam::aws:policy/PowerUserAccess'

test('assumes the role of an account, moves it and denies everything through its unit', async () => {
  const [account = ''] = poolAccounts
  const { Credentials } = await sts.send(
    new AssumeRoleCommand({
      RoleArn: `arn:aws:iam::${account}:role/OrganizationAccountAccessRole`,
      RoleSessionName: 'trainyard',
      DurationSeconds: 900,
    }),
  )
  const accountClients = clientsFor({
    accessKeyId: Credentials?.AccessKeyId ?? '',
    secretAccessKey: Credentials?.SecretAccessKey ?? '',
    sessionToken: Credentials?.SessionToken ?? '',
  })
  expect((await accountClients.sts.send(new GetCallerIdentityCommand({}))).Account).toBe(account)
  const UserName = 'leased'
  await accountClients.iam.send(new CreateUserCommand({ UserName }))
  await accountClients.iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn: POWER_USER_POLICY }))
  await accountClients.iam.send(new CreateLoginProfileCommand({ UserName, Password: 'Correct-Horse-7' }))
  await expect(iam.send(new GetUserCommand({ UserName }))).rejects.toMatchObject({ name: 'NoSuchEntityException' })
  expect(await signIn(UserName, 'Correct-Horse-7', account)).toBe(200)

  expect((await organizations.send(new ListAccountsCommand({}))).Accounts).toHaveLength(poolAccounts.length + 1)
  expect((await organizations.send(new DescribeAccountCommand({ AccountId: account }))).Account?.State).toBe('ACTIVE')
  const [parent] = (await organizations.send(new ListParentsCommand({ ChildId: account }))).Parents ?? []
  expect(parent?.Id).toBe(organization.labs)
  const move = { AccountId: account, SourceParentId: organization.labs, DestinationParentId: organization.cleanup }
  await organizations.send(new MoveAccountCommand(move))
  expect(await signIn(UserName, 'Correct-Horse-7', account)).toBe(403)
  const repeated = organizations.send(new MoveAccountCommand(move))
  await expect(repeated).rejects.toMatchObject({ name: 'DuplicateAccountException' })
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

describe("AWS's own models", () => {
  test('match every request and reply', () => {
    expect(watch.validate().operations.size).toBeGreaterThanOrEqual(14)
  })

  test('detect violations in every operation', () => {
    const exchanges = successfulExchanges(watch.exchanges)
    for (const [operation, exchange] of exchanges)
      expect([operation, undetectedViolations(exchange)]).toEqual([operation, []])
  })
})
