const VERSION = '2012-10-17'

/** The inline policies that every lab user of ours may have. */
export const UNTIL = 'trainyard-until'
export const BLOCKED = 'trainyard-blocked'

/** Where our users and policies stand in an account. */
export const PATH = '/trainyard/'
export const BOUNDARY = 'lab-boundary-v1'
export const boundaryArn = (account: string): string => `arn:aws:iam::${account}:policy${PATH}${BOUNDARY}`

/** A lab user must have this policy to change the first password. */
export const CHANGE_PASSWORD = 'arn:aws:iam::aws:policy/IAMUserChangePassword'

/** Denies everything from an instant on. AWS judges it by its own clock, whether the portal is up or not. */
export const denyAfter = (until: Date): string =>
  document({
    Effect: 'Deny',
    Action: '*',
    Resource: '*',
    Condition: { DateGreaterThan: { 'aws:CurrentTime': until.toISOString().replace(/\.\d{3}Z$/, 'Z') } },
  })

export const denyAll = (): string => document({ Effect: 'Deny', Action: '*', Resource: '*' })

/**
 * No policy can give a lab user these: other users, keys and roles, the organization, and ways to become somebody
 * else. A session of a role would go on after the end, and many roles trust everybody in their account.
 */
const NEVER = ['iam:*', 'sts:*', 'sso:*', 'sso-directory:*', 'identitystore:*', 'organizations:*', 'account:*']

/** The most that any policy can give a lab user. */
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
