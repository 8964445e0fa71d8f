import pLimit from 'p-limit'
import type { AwsDiagnosis } from './aws-users.ts'
import { type Check, green, greenUnless, notUsed, red, type Defect } from '@trainyard/platform/server/doctor/check.ts'
import { clockFinding, timed } from '@trainyard/platform/server/doctor/clock.ts'
import { namesOf } from '@trainyard/machines/server/template-needs.ts'

export interface AwsOptions {
  readonly diagnosis: AwsDiagnosis | null
  readonly settings: {
    readonly labPolicy: string
    readonly pool: readonly string[]
    readonly role: string
    readonly units: { readonly lab: string; readonly cleanup: string } | null
  }
  readonly needs: readonly Check[]
}

const iam = (...names: readonly string[]): string[] => names.map((name) => `iam:${name}`)

const USER_ACTIONS: readonly string[] = [
  ...iam('CreateUser', 'TagUser', 'GetUser', 'DeleteUser', 'PutUserPermissionsBoundary'),
  ...iam('PutUserPolicy', 'GetUserPolicy', 'DeleteUserPolicy', 'ListUserPolicies'),
  ...iam('AttachUserPolicy', 'DetachUserPolicy', 'ListAttachedUserPolicies'),
  ...iam('CreateLoginProfile', 'DeleteLoginProfile', 'ListAccessKeys', 'UpdateAccessKey', 'DeleteAccessKey'),
  ...iam('ListMFADevices', 'DeactivateMFADevice', 'ListSSHPublicKeys', 'DeleteSSHPublicKey'),
  ...iam('ListSigningCertificates', 'DeleteSigningCertificate'),
  ...iam('ListServiceSpecificCredentials', 'DeleteServiceSpecificCredential'),
  ...iam('ListGroupsForUser', 'RemoveUserFromGroup'),
]
const POOL_ACTIONS = ['organizations:ListParents', 'organizations:MoveAccount']

const AT_ONCE = 5

export function awsChecks({ diagnosis, settings, needs }: AwsOptions): Check[] {
  const group = 'AWS'
  const otherwise = 'Try again. If the error persists, check the outbound network access of this host.'
  if (diagnosis === null) {
    const none = async () => notUsed('AWS_LAB_ACCESS_KEY_ID is not set: there are no AWS lab users.')
    return [{ group, name: 'identity', otherwise, run: none }]
  }
  const { labPolicy, pool, role, units } = settings
  const identity: Check = {
    group,
    name: 'identity',
    needs,
    otherwise: 'Check AWS_LAB_ACCESS_KEY_ID and AWS_LAB_SECRET_ACCESS_KEY (IAM, Users, Security credentials).',
    unanswered: otherwise,
    async run(signal) {
      return green(`${(await diagnosis.identity(signal)).arn}.`)
    },
  }
  const base = { group, needs: [identity], otherwise }

  return [
    identity,
    {
      ...base,
      name: 'clock',
      async run(signal) {
        const { result, ...when } = await timed(() => diagnosis.identity(signal))
        return clockFinding("AWS's clock", result.at, when)
      },
    },
    {
      ...base,
      name: 'policies',
      otherwise: 'Allow the portal to simulate its own policies: iam:SimulatePrincipalPolicy.',
      async run(signal) {
        const { account } = await diagnosis.identity(signal)
        const requests = pool.length === 0 ? ownAccountPermissions(account) : [{ actions: POOL_ACTIONS, resource: '*' }]
        const denied = await deniedOf(diagnosis, null, requests, signal)
        return greenUnless(missingPermissions(`The portal's key`, denied), 'All permissions for lab users are granted.')
      },
    },
    {
      ...base,
      name: 'policy of lab users',
      otherwise: 'Allow the portal to read policies: iam:GetPolicy.',
      run: async (signal) =>
        (await diagnosis.hasPolicy(labPolicy, signal))
          ? green(`${labPolicy}.`)
          : red(`There is no policy ${labPolicy}.`, 'Set AWS_LAB_POLICY to the ARN of an existing managed policy.'),
    },
    {
      ...base,
      name: 'units',
      otherwise:
        'Allow the portal to list accounts (organizations:ListAccountsForParent), from the management account or a delegated administrator account.',
      async run(signal) {
        if (units === null || pool.length === 0) return notUsed('AWS_ACCOUNT_POOL is not set: no accounts are leased.')
        const [lab, cleanup] = await Promise.all([
          diagnosis.accountsIn(units.lab, signal),
          diagnosis.accountsIn(units.cleanup, signal),
        ])
        const problems: Defect[] = []
        for (const [name, unit, found] of [
          ['AWS_LAB_UNIT', units.lab, lab],
          ['AWS_CLEANUP_UNIT', units.cleanup, cleanup],
        ] as const) {
          if (found === null)
            problems.push({
              what: `There is no unit ${unit}.`,
              todo: `Set ${name} to the ID of an existing organizational unit (ou-...).`,
            })
        }
        const known = new Set([...(lab ?? []), ...(cleanup ?? [])])
        const unplaced = pool.filter((account) => !known.has(account))
        if (problems.length === 0 && unplaced.length > 0) {
          problems.push({
            what: `In neither unit: ${namesOf(unplaced)}.`,
            todo: `Move them to ${units.lab}, or remove them from AWS_ACCOUNT_POOL.`,
          })
        }
        return greenUnless(problems, `${pool.length} accounts are in ${units.lab} or ${units.cleanup}.`)
      },
    },
    {
      ...base,
      name: 'leased accounts',
      limit: 60_000,
      async run(signal) {
        if (pool.length === 0) return notUsed('AWS_ACCOUNT_POOL is not set: no accounts are leased.')
        const found = await pLimit(AT_ONCE).map(pool, (account) => problemsIn(diagnosis, account, role, signal))
        return greenUnless(
          found.flat(),
          `The portal can assume ${role} in ${pool.length} accounts, and the role has all permissions.`,
        )
      },
    },
  ]
}

interface PermissionRequest {
  readonly actions: readonly string[]
  readonly resource: string
}

/**
 * Requests permissions for resources below the portal's own path, because policies may be limited to this path.
 */
const ownAccountPermissions = (account: string): PermissionRequest[] => [
  { actions: USER_ACTIONS, resource: `arn:aws:iam::${account}:user/trainyard/somebody` },
  { actions: iam('ListUsers'), resource: `arn:aws:iam::${account}:user/trainyard/` },
  { actions: iam('CreatePolicy'), resource: `arn:aws:iam::${account}:policy/trainyard/lab-boundary-v1` },
  { actions: iam('DeleteVirtualMFADevice'), resource: `arn:aws:iam::${account}:mfa/somebody` },
]

async function deniedOf(
  diagnosis: AwsDiagnosis,
  account: string | null,
  requests: readonly PermissionRequest[],
  signal: AbortSignal,
): Promise<string[]> {
  const denied = await Promise.all(
    requests.map(({ actions, resource }) => diagnosis.denied(account, actions, resource, signal)),
  )
  return denied.flat()
}

async function problemsIn(
  diagnosis: AwsDiagnosis,
  account: string,
  role: string,
  signal: AbortSignal,
): Promise<Defect[]> {
  try {
    return missingPermissions(
      `${role} in ${account}`,
      await deniedOf(diagnosis, account, ownAccountPermissions(account), signal),
    )
  } catch (problem) {
    return [
      {
        what: `${account}: ${problem instanceof Error ? problem.message : String(problem)}`,
        todo: `Allow the portal's key to assume ${role} there (sts:AssumeRole and the role's trust policy), with iam:SimulatePrincipalPolicy.`,
      },
    ]
  }
}

const missingPermissions = (principal: string, denied: readonly string[]): Defect[] =>
  denied.length === 0
    ? []
    : [
        {
          what: `${principal} may not: ${namesOf(denied)}.`,
          todo: 'Grant these permissions. docs/providers.md, "AWS lab users", has the full list.',
        },
      ]
