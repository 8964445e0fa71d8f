const VERSION = '2012-10-17'

export const UNTIL = 'trainyard-until'
export const BLOCKED = 'trainyard-blocked'

export const PATH = '/trainyard/'
export const BOUNDARY = 'lab-boundary-v1'
export const boundaryArn = (account: string): string => `arn:aws:iam::${account}:policy${PATH}${BOUNDARY}`

export const CHANGE_PASSWORD = 'arn:aws:iam::aws:policy/IAMUserChangePassword'

/**
 * Returns a policy that denies everything after an instant. AWS evaluates the date by its own clock, even if the portal
 * is down.
 */
export const denyAfter = (until: Date): string =>
  document({
    Effect: 'Deny',
    Action: '*',
    Resource: '*',
    Condition: { DateGreaterThan: { 'aws:CurrentTime': until.toISOString().replace(/\.\d{3}Z$/, 'Z') } },
  })

export const denyAll = (): string => document({ Effect: 'Deny', Action: '*', Resource: '*' })

/**
 * Actions that are always denied. A role session would outlive the user's expiry, and many roles trust their whole
 * account.
 */
const NEVER = ['iam:*', 'sts:*', 'sso:*', 'sso-directory:*', 'identitystore:*', 'organizations:*', 'account:*']

export const boundary = (): string =>
  document(
    { Effect: 'Allow', NotAction: NEVER, Resource: '*' },
    {
      Effect: 'Allow',
      Action: ['iam:ChangePassword', 'iam:GetUser', 'iam:GetAccountPasswordPolicy', 'iam:CreateServiceLinkedRole'],
      Resource: '*',
    },
  )

const document = (...Statement: object[]): string => JSON.stringify({ Version: VERSION, Statement })
