import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteLoginProfileCommand,
  DeleteUserPolicyCommand,
  PutUserPermissionsBoundaryCommand,
} from '@aws-sdk/client-iam'
import { MoveAccountCommand, OrganizationsClient } from '@aws-sdk/client-organizations'
import { organization, poolAccounts, portalKey } from '../../emulator/cloud.ts'
import { expect, test } from 'vitest'
import { awsUserView } from './view.ts'
import { sharedAwsLabs } from '@trainyard/platform/test/shared.ts'

const labs = await sharedAwsLabs()

const existing = async (name: string) => (await labs.truth()).users.filter((user) => user.name === name && user.exists)
const view = async (name: string) => awsUserView(await labs.row(name))

test('rights that were changed outside the portal are restored; a removed password is not', async () => {
  await labs.add('guarded')
  await labs.advance(60)
  const UserName = 'guarded'
  await labs.iam.send(new DeleteUserPolicyCommand({ UserName, PolicyName: 'trainyard-until' }))
  const PermissionsBoundary = 'arn:aws:iam::aws:policy/AdministratorAccess'
  await labs.iam.send(new PutUserPermissionsBoundaryCommand({ UserName, PermissionsBoundary }))
  await labs.iam.send(new DeleteLoginProfileCommand({ UserName }))
  await labs.advance(11 * 60)
  const [user] = await existing('guarded')
  expect(user).toMatchObject({ inlinePolicies: ['trainyard-until'], hasLogin: false })
  expect(user!.boundary).toContain('/trainyard/')
  expect(await view('guarded')).toMatchObject({ status: 'Ready' })
})

test('a user that was deleted outside the portal is not recreated, and is ended', async () => {
  await labs.add('vanishing')
  await labs.advance(30)
  await labs.vanish('vanishing')
  await labs.advance(15 * 60)
  expect(await existing('vanishing')).toEqual([])
  expect(await labs.row('vanishing')).toMatchObject({ ended_at: expect.any(Date), account_id: null })
})

test('a user that cannot be deleted is blocked anyway, including its keys', async () => {
  const UserName = 'stubborn'
  await labs.add(UserName)
  await labs.advance(30)
  await labs.iam.send(new CreateAccessKeyCommand({ UserName }))
  for (const operation of ['IAM_DetachUserPolicy', 'IAM_DeleteAccessKey', 'IAM_ListMFADevices']) {
    await labs.fault({ kind: 'serverError', operation, name: UserName })
  }
  expect(await existing(UserName)).toMatchObject([{ hasAccess: true, activeKeys: 1 }])
  await labs.remove([UserName])
  await labs.advance(3 * 60)
  const blocked = { hasAccess: false, hasLogin: false, keys: 1, activeKeys: 0 }
  expect(await existing(UserName)).toMatchObject([
    { ...blocked, inlinePolicies: ['trainyard-blocked', 'trainyard-until'] },
  ])
  expect(await view(UserName)).toMatchObject({ status: 'Ending', statusReason: expect.stringContaining('AWS failed') })
  await labs.clearFaults()
  await labs.advance(3 * 60)
  expect(await existing(UserName)).toEqual([])
})

test('a user of the same name that is not ours is not changed, and the conflict is reported', async () => {
  await labs.iam.send(new CreateUserCommand({ UserName: 'somebody' }))
  await labs.add('somebody')
  await labs.advance(60)
  expect(await view('somebody')).toMatchObject({
    status: 'Failing',
    statusReason: "The AWS account has a user somebody that is not the portal's. Choose another name.",
  })
  await labs.remove(['somebody'])
  await labs.advance(5 * 60)
  expect(await labs.row('somebody')).toMatchObject({ ended_at: expect.any(Date) })
  expect(await existing('somebody')).toMatchObject([{ hasLogin: false, inlinePolicies: [] }])
})

test(
  'a creation that times out is retried at intervals, shows the reason, and succeeds later',
  { tags: ['storm'] },
  async () => {
    await labs.fault({ kind: 'hang', operation: 'IAM_CreateUser', name: 'patient' })
    await labs.add('patient')
    await labs.advance(5 * 60)
    expect(await view('patient')).toMatchObject({
      status: 'Failing',
      statusReason: 'AWS did not respond in time to the request to create the user patient.',
    })
    const countReads = labs.calls.filter(({ about }) => about === 'patient').length
    expect(countReads).toBeGreaterThan(4)
    expect(countReads).toBeLessThan(20)
    await labs.clearFaults()
    await labs.advance(2 * 60)
    expect(await view('patient')).toMatchObject({ status: 'Ready', statusReason: null })
  },
)

test('a pause that AWS requested applies also to a user deleted in the meantime', async () => {
  await labs.fault({ kind: 'throttle', retryAfter: 45, operation: 'IAM_CreateUser', name: 'paused', times: 1 })
  await labs.add('paused')
  await labs.advance(0)
  const countReads = () => labs.calls.filter(({ about }) => about === 'paused').length
  const before = countReads()
  expect(before).toBeGreaterThan(0)
  await labs.remove(['paused'])
  await labs.advance(30)
  expect(countReads()).toBe(before)
  await labs.advance(5 * 60)
  expect(await labs.row('paused')).toMatchObject({ ended_at: expect.any(Date) })
})

test("a creation with a lost reply that completes after the user's deletion is found and deleted", async () => {
  await labs.fault({ kind: 'doneLate', seconds: 60, operation: 'IAM_CreateUser', name: 'late', times: 1 })
  await labs.add('late')
  await labs.advance(0)
  await labs.remove(['late'])
  await labs.advance(5 * 60)
  expect((await labs.truth()).users.filter(({ name }) => name === 'late')).toMatchObject([{ exists: false }])
  expect(await labs.row('late')).toMatchObject({ ended_at: expect.any(Date) })
})

test('a user that appears after its end, however late, is found and deleted; other users are not changed', async () => {
  await labs.fault({ kind: 'doneLate', seconds: 800, operation: 'IAM_CreateUser', name: 'orphan', times: 1 })
  await labs.add('orphan')
  await labs.advance(0)
  await labs.remove(['orphan'])
  await labs.advance(5 * 60)
  expect(await labs.row('orphan')).toMatchObject({ ended_at: expect.any(Date) })
  await labs.iam.send(new CreateUserCommand({ UserName: 'unknown', Path: '/trainyard/' }))
  await labs.advance(500)
  expect((await labs.truth()).users.filter(({ name }) => name === 'orphan')).toMatchObject([{ hasAccess: false }])
  await labs.advance(10 * 60)
  expect((await labs.truth()).users.filter(({ name }) => name === 'orphan')).toMatchObject([{ exists: false }])
  expect(await existing('unknown')).toHaveLength(1)
})

test(
  'each user gets a separate account of the pool, which is cleaned before the next lease, despite faults',
  { tags: ['storm'] },
  async () => {
    const pool = poolAccounts.slice(0, 8)
    const names = pool.map((_, n) => `leased-${n}`)
    const kinds = [
      'throttle',
      'serverError',
      'loseReply',
      'malformed',
      'unauthorised',
      'dropConnection',
      'hang',
      'refuseQuota',
    ]
    const operations = ['STS_AssumeRole', 'Organizations_ListParents', 'Organizations_MoveAccount']
    for (const [n, account] of pool.entries()) {
      const name = `*${account}*`
      for (const operation of operations)
        await labs.fault({ kind: kinds[n], operation, name, times: 1, retryAfter: 20 })
    }
    await Promise.all(names.map((name) => labs.add(name, { pool })))
    await expect(labs.add('one-too-many', { pool })).rejects.toThrow('No AWS account is available')
    const rows = (await labs.rows()).filter(({ leased }) => leased)
    expect(new Set(rows.map(({ aws_account }) => aws_account))).toEqual(new Set(pool))
    await labs.advance(6 * 60)
    const recorded = await labs.truth()
    for (const { username, aws_account } of rows) {
      expect(recorded.users.filter(({ name }) => name === username)).toMatchObject([
        { account: aws_account, hasAccess: true },
      ])
    }

    await labs.remove(names)
    await labs.advance(12 * 60)
    const after = await labs.truth()
    expect(after.users.filter(({ name, exists }) => exists && name.startsWith('leased'))).toEqual([])
    expect(after.accounts.filter(({ id }) => pool.includes(id)).map(({ parent }) => parent)).toEqual(
      pool.map(() => organization.cleanup),
    )
    await expect(labs.add('too-early', { pool })).rejects.toThrow('No AWS account is available')

    // The operator's cleaner returns two accounts; one of them still contains a lab user.
    const [first = '', second = ''] = pool
    await labs.leaveOrphan(second, 'left-behind')
    const organizations = new OrganizationsClient({ endpoint: labs.url, region: 'us-east-1', credentials: portalKey })
    for (const AccountId of [first, second]) {
      const moveBack = { SourceParentId: organization.cleanup, DestinationParentId: organization.labs }
      await organizations.send(new MoveAccountCommand({ AccountId, ...moveBack }))
    }
    await labs.advance(3 * 60)
    await labs.add('next', { pool })
    expect((await labs.row('next')).aws_account).toBe(first)
    await expect(labs.add('nobody', { pool })).rejects.toThrow('No AWS account is available')
    const quarantined = await labs.db
      .selectFrom('aws_account')
      .selectAll()
      .where('quarantined', 'is not', null)
      .execute()
    expect(quarantined.map(({ id }) => id)).toEqual([second])
    expect([...labs.watch.validate().operations.keys()]).toEqual(
      expect.arrayContaining([
        'STS_AssumeRole',
        'Organizations_ListParents',
        'Organizations_MoveAccount',
        'IAM_ListUsers',
      ]),
    )
  },
)

test("no bugs were reported, and all calls conform to AWS's models", async () => {
  expect(labs.bugs).toEqual([])
  expect(await labs.broken()).toEqual([])
})
