import { MoveAccountCommand, OrganizationsClient } from '@aws-sdk/client-organizations'
import { organization, poolAccounts, portalKey } from '../emulator/cloud.ts'
import { afterEach, expect, test } from 'vitest'
import { failedWith, sharedDoctorPortal } from '@trainyard/platform/test/doctor-portal.ts'

const doctorPortal = await sharedDoctorPortal()
afterEach(async () => {
  await doctorPortal.control('DELETE', '/_faults')
  await doctorPortal.control('POST', '/_aws/policy', { document: null })
})

const runChecks = async (settings = {}) => {
  const results = await doctorPortal.examine(['AWS', 'Emulator'], settings)
  return Object.fromEntries(
    Object.entries(results).flatMap(([name, each]) => (name.startsWith('AWS: ') ? [[name.slice(5), each]] : [])),
  )
}
const AWS_ACCOUNT_POOL = poolAccounts.slice(0, 3).join(',')
const policy = (...Statement: object[]) =>
  doctorPortal.control('POST', '/_aws/policy', { document: JSON.stringify({ Version: '2012-10-17', Statement }) })
const ALL = { Effect: 'Allow', Action: '*', Resource: '*' }
const fault = (kind: string, operation: string) => doctorPortal.control('POST', '/_faults', { kind, operation })

test('reports no problem at first, with and without leased accounts', async () => {
  const allGreen = { identity: 'green', clock: 'green', policies: 'green', 'policy of lab users': 'green' }
  expect(await runChecks()).toEqual({ ...allGreen, units: 'not used', 'leased accounts': 'not used' })
  expect(await runChecks({ AWS_ACCOUNT_POOL })).toEqual({ ...allGreen, units: 'green', 'leased accounts': 'green' })
})

test('reports a key that AWS rejects', async () => {
  await fault('unauthorised', 'STS_GetCallerIdentity')
  expect(await runChecks()).toMatchObject({
    identity: failedWith(/rejects the key of the portal/, /AWS_LAB_SECRET_ACCESS_KEY/),
    policies: 'not run',
  })
})

test('reports a policy that forbids creating and deleting users', async () => {
  await policy(ALL, { Effect: 'Deny', Action: ['iam:DeleteUser', 'iam:CreatePolicy'], Resource: '*' })
  expect(await runChecks()).toMatchObject({
    policies: failedWith(/key may not: iam:DeleteUser, iam:CreatePolicy/, /AWS lab users/),
  })
})

test('reports a policy that forbids moving and entering accounts', async () => {
  await policy(ALL, { Effect: 'Deny', Action: ['organizations:MoveAccount', 'sts:AssumeRole'], Resource: '*' })
  expect(await runChecks({ AWS_ACCOUNT_POOL })).toMatchObject({
    policies: failedWith(/may not: organizations:MoveAccount/),
    'leased accounts': failedWith(new RegExp(`${poolAccounts[0]}: .*assume its role in the account`), /sts:AssumeRole/),
    units: 'green',
  })
})

test('reports a policy that forbids simulation', async () => {
  await policy({ Effect: 'Allow', Action: ['iam:CreateUser'], Resource: '*' })
  expect(await runChecks()).toMatchObject({
    policies: failedWith(/simulate its policies/, /iam:SimulatePrincipalPolicy/),
    'policy of lab users': failedWith(/read the policy/, /iam:GetPolicy/),
  })
})

test('reports a missing policy of lab users', async () => {
  expect(await runChecks({ AWS_LAB_POLICY: 'arn:aws:iam::aws:policy/NoSuchAccess' })).toMatchObject({
    'policy of lab users': failedWith(/no policy arn.*NoSuchAccess/, /AWS_LAB_POLICY/),
  })
})

test('reports a missing organizational unit', async () => {
  expect(await runChecks({ AWS_ACCOUNT_POOL, AWS_CLEANUP_UNIT: 'ou-none-11111111' })).toMatchObject({
    units: failedWith(/no unit ou-none-11111111/, /AWS_CLEANUP_UNIT/),
  })
})

test('reports accounts in neither unit, and an account that the portal cannot access', async () => {
  const movedAccount = poolAccounts[1]!
  const client = new OrganizationsClient({
    region: 'us-east-1',
    endpoint: doctorPortal.emulator.url,
    credentials: portalKey,
  })
  const moveAccount = (SourceParentId: string, DestinationParentId: string) =>
    client.send(new MoveAccountCommand({ AccountId: movedAccount, SourceParentId, DestinationParentId }))
  await moveAccount(organization.labs, organization.root)
  expect(await runChecks({ AWS_ACCOUNT_POOL: `${AWS_ACCOUNT_POOL},999999999999` })).toMatchObject({
    units: failedWith(new RegExp(`In neither unit: ${movedAccount}, 999999999999`), /Move them/),
    'leased accounts': failedWith(/^999999999999: /),
  })
  await moveAccount(organization.root, organization.labs)
})

test('reports a clock that is a minute ahead', async () => {
  await doctorPortal.control('POST', '/_clock', { mode: 'stepped', advanceSeconds: 60 })
  expect(await runChecks()).toMatchObject({ clock: failedWith(/AWS's clock is (58|59|60) s ahead/, /NTP/) })
})
