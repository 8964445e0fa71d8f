import {
  AddUserToGroupCommand,
  CreateAccessKeyCommand,
  CreateServiceSpecificCredentialCommand,
  EnableMFADeviceCommand,
  UploadSSHPublicKeyCommand,
} from '@aws-sdk/client-iam'
import { expect, test } from 'vitest'
import { sharedAwsLabs } from '@trainyard/platform/test/shared.ts'

const labs = await sharedAwsLabs()

const CREATING = [
  'CreateUser',
  'PutUserPolicy',
  'PutUserPermissionsBoundary',
  'AttachUserPolicy',
  'CreateLoginProfile',
] as const
const READING = ['GetUser', 'GetUserPolicy'] as const
const ENDING = [
  'DeleteLoginProfile',
  'ListAccessKeys',
  'UpdateAccessKey',
  'DeleteAccessKey',
  'ListAttachedUserPolicies',
  'DetachUserPolicy',
  'ListGroupsForUser',
  'RemoveUserFromGroup',
  'ListMFADevices',
  'DeactivateMFADevice',
  'DeleteVirtualMFADevice',
  'ListSigningCertificates',
  'ListSSHPublicKeys',
  'DeleteSSHPublicKey',
  'ListServiceSpecificCredentials',
  'DeleteServiceSpecificCredential',
  'ListUserPolicies',
  'DeleteUserPolicy',
  'DeleteUser',
] as const
const OPERATIONS = [...CREATING, ...READING, ...ENDING]

const FAULTS = [
  { kind: 'throttle', retryAfter: 45 },
  { kind: 'refuseQuota' },
  { kind: 'refuseCapacity' },
  { kind: 'unauthorised' },
  { kind: 'serverError' },
  { kind: 'serverError', code: 'ServiceUnavailable' },
  { kind: 'dropConnection' },
  { kind: 'hang' },
  { kind: 'malformed' },
  { kind: 'loseReply' },
  { kind: 'doneLate', seconds: 30 },
  { kind: 'seenLate', seconds: 60 },
  { kind: 'killedBefore' },
  { kind: 'killedAfter' },
] as const

interface Scenario {
  readonly username: string
  readonly operation: string
  readonly fault: (typeof FAULTS)[number]
}

const ALL_SCENARIOS: readonly Scenario[] = OPERATIONS.flatMap((operation) =>
  FAULTS.map((fault, n) => ({
    username: `${operation.toLowerCase()}-${fault.kind.toLowerCase()}-${n}`,
    operation,
    fault,
  })),
)

/**
 * In the short form each operation gets some faults, and each fault some creating and some deleting operations. The
 * long form has all pairs.
 */
const LONG = process.env.STORM === 'long'
const SCENARIOS = ALL_SCENARIOS.filter(({ operation }, n) => {
  const each = ENDING.some((end) => end === operation) ? 11 : 5
  return LONG || n % each === 0
})

/** Attaches resources to the user as if created outside the portal, as far as the scenario needs them. */
async function attachResources({ username: UserName, operation }: Scenario): Promise<void> {
  const SerialNumber = `arn:aws:iam::100000000001:mfa/${UserName}`
  const codes = { AuthenticationCode1: '123456', AuthenticationCode2: '654321' }
  const ServiceName = 'codecommit.amazonaws.com'
  const all = operation === 'DeleteUser'
  if (all || operation.includes('Key')) await labs.iam.send(new CreateAccessKeyCommand({ UserName }))
  if (all || operation.includes('Group')) {
    await labs.iam.send(new AddUserToGroupCommand({ UserName, GroupName: 'others' }))
  }
  if (all || operation.includes('MFA')) {
    await labs.iam.send(new EnableMFADeviceCommand({ UserName, SerialNumber, ...codes }))
  }
  if (all || operation.includes('SSH')) {
    await labs.iam.send(new UploadSSHPublicKeyCommand({ UserName, SSHPublicKeyBody: 'ssh-ed25519 AAAA' }))
  }
  if (all || operation.includes('Service')) {
    await labs.iam.send(new CreateServiceSpecificCredentialCommand({ UserName, ServiceName }))
  }
}

async function injectFault({ username, operation, fault }: Scenario): Promise<void> {
  const faultName = `IAM_${operation}`
  const name = operation === 'DeleteVirtualMFADevice' ? `*/${username}` : username
  if (fault.kind === 'killedBefore') labs.killAt(faultName, username, 'before')
  else if (fault.kind === 'killedAfter') labs.killAt(faultName, username, 'after')
  else await labs.fault({ ...fault, operation: faultName, name, times: 1 })
}

test(
  'with each fault in each operation, users are created once and deleted completely, without early retries',
  { timeout: LONG ? 900_000 : 120_000 },
  async () => {
    for (const scenario of SCENARIOS) await labs.add(scenario.username)
    const creating = SCENARIOS.filter(({ operation }) => CREATING.some((each) => each === operation))
    for (const scenario of creating) await injectFault(scenario)
    await labs.advance(10 * 60)
    const created = await labs.truth()
    const names = SCENARIOS.map(({ username }) => username)
    expect(
      created.users
        .filter(({ exists }) => exists)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...names].sort())
    expect(created.users.filter(({ hasAccess, hasLogin }) => !hasAccess || !hasLogin)).toEqual([])
    expect((await labs.rows()).filter(({ ready_at, last_error }) => ready_at === null || last_error !== null)).toEqual(
      [],
    )

    for (const scenario of SCENARIOS) await attachResources(scenario)
    for (const scenario of SCENARIOS) if (!creating.includes(scenario)) await injectFault(scenario)
    // Read each user again, then let the users expire.
    await labs.advance(10 * 60)
    expect((await labs.rows()).filter(({ desired }) => desired !== 'ready')).toEqual([])
    await labs.advance(5)
    const end = Math.max(...(await labs.rows()).map(({ end_at }) => end_at.getTime()))
    await labs.skipTo(end + 1_000)
    expect((await labs.truth()).users.filter(({ hasAccess }) => hasAccess)).toEqual([])
    await labs.advance(15 * 60)
    const remaining = await labs.truth()
    expect(remaining.users.filter(({ exists }) => exists)).toEqual([])
    expect(remaining.users).toHaveLength(SCENARIOS.length)
    expect(
      (await labs.rows()).filter(({ ended_at, first_password }) => ended_at === null || first_password !== null),
    ).toEqual([])
    expect(await labs.broken()).toEqual([])
    expect(labs.bugs).toEqual([])
  },
)

test('no call came before the time that AWS requested, and no calls repeated without pauses', () => {
  const byUser = Map.groupBy(labs.calls, ({ about }) => about)
  const early: string[] = []
  const hot: string[] = []
  for (const { username, operation } of SCENARIOS) {
    const calls = byUser.get(username) ?? []
    for (const [n, { pauseUntil, operation: asked }] of calls.entries()) {
      const next = calls.slice(n + 1).find((call) => call.at > calls[n]!.at + 50)
      // A request that was already in progress may be sent. The next step waits.
      if (pauseUntil !== null && next !== undefined && next.at < pauseUntil - 1_000)
        early.push(`${username} ${asked} ${next.operation}`)
    }
    if (calls.length > 140) hot.push(`${username} (${operation}): ${calls.length} calls`)
  }
  expect([early, hot]).toEqual([[], []])
  expect(byUser.get(SCENARIOS[0]!.username)!.length).toBeGreaterThan(20)
})

test("every request and reply conforms to AWS's own models", () => {
  const { operations, messages } = labs.watch.validate()
  expect([...operations.keys()]).toEqual(expect.arrayContaining(OPERATIONS.map((operation) => `IAM_${operation}`)))
  expect(messages).toBeGreaterThan(LONG ? 3_000 : 41 * SCENARIOS.length)
})
