import {
  AttachUserPolicyCommand,
  CreateLoginProfileCommand,
  CreatePolicyCommand,
  CreateUserCommand,
  type IAMClient,
  PutUserPermissionsBoundaryCommand,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam'
import type { AwsUserRef, AwsUserExpiry, NewAwsUser } from './aws-users.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { attempt } from './clients.ts'
import { BOUNDARY, boundary, boundaryArn, CHANGE_PASSWORD, denyAfter, PATH, UNTIL } from './documents.ts'
import { findUser, TAG, ignoring } from './find.ts'
import { hasCode } from './errors.ts'

interface Home {
  readonly iam: IAMClient
  readonly account: string
}

/** Creates the user with its boundary and tag in one call. An existing user with the portal's tag is not an error. */
export async function createUser({ iam, account }: Home, user: NewAwsUser, abortSignal: AbortSignal): Promise<void> {
  const action = `create the user ${user.username}`
  const command = new CreateUserCommand({
    UserName: user.username,
    Path: PATH,
    PermissionsBoundary: boundaryArn(account),
    Tags: [{ Key: TAG, Value: user.id }],
  })
  const create = () => attempt(action, () => iam.send(command, { abortSignal }))
  try {
    try {
      await create()
    } catch (problem) {
      // A new or cleaned account has no boundary policy yet: create it first.
      if (!hasCode(problem, 'NoSuchEntity')) throw problem
      await makeBoundary(iam, abortSignal)
      await create()
    }
  } catch (problem) {
    if (!hasCode(problem, 'EntityAlreadyExists')) throw problem
    const found = await findUser(iam, user, abortSignal)
    if (found === null) throw problem
    if (!found.ours) {
      const reason = `The AWS account has a user ${user.username} that is not the portal's. Choose another name.`
      throw new CloudError('refused', reason, null, { cause: problem })
    }
  }
}

function makeBoundary(iam: IAMClient, abortSignal: AbortSignal): Promise<void> {
  const command = new CreatePolicyCommand({
    PolicyName: BOUNDARY,
    Path: PATH,
    Description: 'The maximum permissions of a lab user of Trainyard.',
    PolicyDocument: boundary(),
  })
  return ignoring(['EntityAlreadyExists'], () =>
    attempt('create the boundary of lab users', () => iam.send(command, { abortSignal })),
  )
}

export async function secureUser(
  { iam, account }: Home,
  { username: UserName, until }: AwsUserRef & AwsUserExpiry,
  labPolicy: string,
  abortSignal: AbortSignal,
): Promise<void> {
  const action = `set the limits of the user ${UserName}`
  const end = new PutUserPolicyCommand({ UserName, PolicyName: UNTIL, PolicyDocument: denyAfter(until) })
  await attempt(action, () => iam.send(end, { abortSignal }))
  const limit = new PutUserPermissionsBoundaryCommand({ UserName, PermissionsBoundary: boundaryArn(account) })
  await attempt(action, () => iam.send(limit, { abortSignal }))
  for (const PolicyArn of [labPolicy, CHANGE_PASSWORD]) {
    const attach = new AttachUserPolicyCommand({ UserName, PolicyArn })
    await attempt(action, () => iam.send(attach, { abortSignal }))
  }
}

/** An existing login profile is not an error: it has this password, or a password that the user has set since. */
export function createLogin(
  iam: IAMClient,
  { username, password }: NewAwsUser,
  abortSignal: AbortSignal,
): Promise<void> {
  const command = new CreateLoginProfileCommand({
    UserName: username,
    Password: password,
    PasswordResetRequired: true,
  })
  return ignoring(['EntityAlreadyExists'], () =>
    attempt(`create the password of the user ${username}`, () => iam.send(command, { abortSignal })),
  )
}
