import {
  CreateUserCommand,
  GetPolicyCommand,
  GetUserCommand,
  SimulatePrincipalPolicyCommand,
} from '@aws-sdk/client-iam'
import { afterAll, expect, test } from 'vitest'
import { poolAccounts, portalArn } from '#src/aws/cloud.ts'
import { startAwsLab } from '#test/aws-lab.ts'

const { farEnd, watch, iam } = await startAwsLab()
afterAll(() => farEnd.stop())

async function decisions(PolicySourceArn: string, ...ActionNames: string[]) {
  const { EvaluationResults } = await iam.send(new SimulatePrincipalPolicyCommand({ PolicySourceArn, ActionNames }))
  return (EvaluationResults ?? []).map(({ EvalDecision }) => EvalDecision)
}

test('a simulation of the portal’s user says the same as the real call', async () => {
  expect(await decisions(portalArn, 'iam:CreateUser', 'iam:GetUser')).toEqual(['allowed', 'allowed'])
  const Statement = [
    { Effect: 'Allow', Action: ['iam:Get*', 'iam:Simulate*', 'iam:CreateUser'], Resource: '*' },
    { Effect: 'Deny', Action: 'iam:CreateUser', Resource: '*' },
  ]
  const document = JSON.stringify({ Version: '2012-10-17', Statement })
  await farEnd.control('POST', '/_aws/policy', { document })
  expect(await decisions(portalArn, 'iam:CreateUser', 'iam:DeleteUser', 'iam:GetUser')).toEqual([
    'explicitDeny',
    'implicitDeny',
    'allowed',
  ])
  await expect(iam.send(new CreateUserCommand({ UserName: 'asha' }))).rejects.toMatchObject({ name: 'AccessDenied' })
  await expect(iam.send(new GetUserCommand({ UserName: 'asha' }))).rejects.toMatchObject({
    name: 'NoSuchEntityException',
  })
  await farEnd.control('POST', '/_aws/policy', { document: null })
  await iam.send(new CreateUserCommand({ UserName: 'asha' }))
  expect(await decisions(portalArn.replace('trainyard-portal', 'asha'), 'iam:GetUser')).toEqual(['implicitDeny'])
})

test.each([
  ['a root', portalArn.replace(/user.*/, 'root'), 'InvalidInputException'],
  ['nobody', portalArn.replace('trainyard-portal', 'nobody'), 'NoSuchEntityException'],
  ['a role elsewhere', `arn:aws:iam::${poolAccounts[0]}:role/OrganizationAccountAccessRole`, 'NoSuchEntityException'],
])('%s is simulated for no one', async (_who, arn, name) => {
  await expect(decisions(arn, 'iam:GetUser')).rejects.toMatchObject({ name })
})

test('a policy of AWS’s own is found, and none of another name', async () => {
  const find = (PolicyArn: string) => iam.send(new GetPolicyCommand({ PolicyArn }))
  const PolicyName = 'PowerUserAccess'
  expect((await find(`arn:aws:iam::aws:policy/${PolicyName}`)).Policy).toMatchObject({ PolicyName })
  await expect(find('arn:aws:iam::aws:policy/None')).rejects.toMatchObject({ name: 'NoSuchEntityException' })
})

test("AWS's own models are kept to", () => {
  expect(
    watch.settle().operations.get('iam:SimulatePrincipalPolicy') ?? watch.settle().operations.size,
  ).toBeGreaterThan(0)
})
