import {
  CreateUserCommand,
  GetPolicyCommand,
  GetUserCommand,
  SimulatePrincipalPolicyCommand,
} from '@aws-sdk/client-iam'
import { afterAll, expect, test } from 'vitest'
import { poolAccounts, portalArn } from '../cloud.ts'
import { startAwsLab } from '@trainyard/platform/emulator/test/aws-lab.ts'

const { emulator, watch, iam } = await startAwsLab()
afterAll(() => emulator.stop())

async function decisions(PolicySourceArn: string, ...ActionNames: string[]) {
  const { EvaluationResults } = await iam.send(new SimulatePrincipalPolicyCommand({ PolicySourceArn, ActionNames }))
  return (EvaluationResults ?? []).map(({ EvalDecision }) => EvalDecision)
}

test("simulates the portal's user with the same results as real calls", async () => {
  expect(await decisions(portalArn, 'iam:CreateUser', 'iam:GetUser')).toEqual(['allowed', 'allowed'])
  const Statement = [
    { Effect: 'Allow', Action: ['iam:Get*', 'iam:Simulate*', 'iam:CreateUser'], Resource: '*' },
    { Effect: 'Deny', Action: 'iam:CreateUser', Resource: '*' },
  ]
  const document = JSON.stringify({ Version: '2012-10-17', Statement })
  await emulator.control('POST', '/_aws/policy', { document })
  expect(await decisions(portalArn, 'iam:CreateUser', 'iam:DeleteUser', 'iam:GetUser')).toEqual([
    'explicitDeny',
    'implicitDeny',
    'allowed',
  ])
  await expect(iam.send(new CreateUserCommand({ UserName: 'asha' }))).rejects.toMatchObject({ name: 'AccessDenied' })
  await expect(iam.send(new GetUserCommand({ UserName: 'asha' }))).rejects.toMatchObject({
    name: 'NoSuchEntityException',
  })
  await emulator.control('POST', '/_aws/policy', { document: null })
  await iam.send(new CreateUserCommand({ UserName: 'asha' }))
  expect(await decisions(portalArn.replace('trainyard-portal', 'asha'), 'iam:GetUser')).toEqual(['implicitDeny'])
})

test.each([
  ['a root user', portalArn.replace(/user.*/, 'root'), 'InvalidInputException'],
  ['a missing user', portalArn.replace('trainyard-portal', 'nobody'), 'NoSuchEntityException'],
  [
    'a role of another account',
    `arn:aws:iam::${poolAccounts[0]}:role/OrganizationAccountAccessRole`,
    'NoSuchEntityException',
  ],
])('refuses to simulate %s', async (_principal, arn, name) => {
  await expect(decisions(arn, 'iam:GetUser')).rejects.toMatchObject({ name })
})

test('returns AWS managed policies by name', async () => {
  const find = (PolicyArn: string) => iam.send(new GetPolicyCommand({ PolicyArn }))
  const PolicyName = 'PowerUserAccess'
  expect((await find(`arn:aws:iam::aws:policy/${PolicyName}`)).Policy).toMatchObject({ PolicyName })
  await expect(find('arn:aws:iam::aws:policy/None')).rejects.toMatchObject({ name: 'NoSuchEntityException' })
})

test("conforms to AWS's own models", () => {
  expect(
    watch.validate().operations.get('iam:SimulatePrincipalPolicy') ?? watch.validate().operations.size,
  ).toBeGreaterThan(0)
})
