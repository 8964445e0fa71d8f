import type { AwsCloud } from '../cloud.ts'
import { AwsRefusal, noSuchEntity } from '../refusal.ts'

interface Statement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Action?: string | readonly string[]
  readonly NotAction?: string | readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** AWS managed policies, simplified to what the emulator distinguishes. */
const managed: Readonly<Record<string, readonly Statement[]>> = {
  'arn:aws:iam::aws:policy/AdministratorAccess': [{ Effect: 'Allow', Action: '*' }],
  'arn:aws:iam::aws:policy/PowerUserAccess': [
    { Effect: 'Allow', NotAction: ['iam:*', 'organizations:*', 'account:*'] },
    { Effect: 'Allow', Action: ['iam:CreateServiceLinkedRole', 'iam:ListRoles', 'account:ListRegions'] },
  ],
  'arn:aws:iam::aws:policy/ReadOnlyAccess': [{ Effect: 'Allow', Action: ['*:Get*', '*:List*', '*:Describe*'] }],
  'arn:aws:iam::aws:policy/IAMUserChangePassword': [
    { Effect: 'Allow', Action: ['iam:ChangePassword', 'iam:GetAccountPasswordPolicy'] },
  ],
  'arn:aws:iam::aws:policy/AWSDenyAll': [{ Effect: 'Deny', Action: '*' }],
}

export const isAwsManaged = (arn: string): boolean => arn in managed

/** @throws AwsRefusal MalformedPolicyDocument */
export function parsePolicy(document: string): readonly Statement[] {
  try {
    return statementsOf(document)
  } catch {
    throw new AwsRefusal(400, 'MalformedPolicyDocument', 'Syntax errors in policy.')
  }
}

function statementsOf(document: string): readonly Statement[] {
  const { Version, Statement: requested } = JSON.parse(document) as {
    Version?: string
    Statement?: Statement | Statement[]
  }
  const statements = requested === undefined ? [] : Array.isArray(requested) ? requested : [requested]
  const isValid = statements.every(
    ({ Effect, Action, NotAction }) =>
      (Effect === 'Allow' || Effect === 'Deny') && (Action === undefined) !== (NotAction === undefined),
  )
  if (!isValid || statements.length === 0 || Version !== '2012-10-17') throw new SyntaxError('invalid policy')
  return statements
}

/** @throws AwsRefusal NoSuchEntity */
export function managedStatements(cloud: AwsCloud, arn: string): readonly Statement[] {
  const awsManaged = managed[arn]
  if (awsManaged !== undefined) return awsManaged
  const customerManaged = cloud.database.one<{ doc: string }>('SELECT doc FROM aws_policy WHERE arn = ?', arn)
  if (customerManaged === undefined) throw noSuchEntity(`Policy ${arn} does not exist or is not attachable.`)
  return statementsOf(customerManaged.doc)
}

export type Verdict = 'allowed' | 'denied' | 'silent'

/** Returns the decision of the statements about an action. The resources of a statement are ignored. */
export function evaluate(statements: readonly Statement[], action: string, now: number): Verdict {
  const applicable = statements.filter(
    (statement) => coversAction(statement, action) && conditionApplies(statement, now),
  )
  if (applicable.some(({ Effect }) => Effect === 'Deny')) return 'denied'
  return applicable.length > 0 ? 'allowed' : 'silent'
}

function coversAction({ Action, NotAction }: Statement, action: string): boolean {
  const matches = (patterns: string | readonly string[]) =>
    [patterns].flat().some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'i').test(action))
  return Action !== undefined ? matches(Action) : !matches(NotAction ?? [])
}

function conditionApplies({ Condition }: Statement, now: number): boolean {
  return Object.entries(Condition ?? {}).every(([operator, tests]) =>
    Object.entries(tests).every(([key, value]) => {
      if (key.toLowerCase() !== 'aws:currenttime') return false
      if (operator === 'DateGreaterThan') return now > Date.parse(value)
      return operator === 'DateLessThan' && now < Date.parse(value)
    }),
  )
}
