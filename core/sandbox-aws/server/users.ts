import { GetUserPolicyCommand, type IAMClient } from '@aws-sdk/client-iam'
import type { AwsUserRef, AwsUsers, AwsUserExpiry } from './aws-users.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { accountState, retireAwsAccount, type Units } from './accounts.ts'
import { blockUser } from './block.ts'
import { attempt, awsClients, type AwsConnection } from './clients.ts'
import { createLogin, createUser, secureUser } from './create.ts'
import { boundaryArn, denyAfter, UNTIL } from './documents.ts'
import { findUser, listUsers } from './find.ts'
import { deleteUser } from './remove.ts'
import { hasCode } from './errors.ts'

export interface AwsUsersOptions extends AwsConnection {
  readonly labPolicy: string
  /** Null: no accounts are leased. */
  readonly units: Units | null
}

export function awsUsers({ labPolicy, units, ...connection }: AwsUsersOptions): AwsUsers {
  const clients = awsClients(connection)

  async function withOurUser(
    at: AwsUserRef,
    signal: AbortSignal,
    callback: (iam: IAMClient) => Promise<void>,
  ): Promise<'nothing' | 'something'> {
    const { iam } = await clients.iam(at.account, signal)
    const found = await findUser(iam, at, signal)
    if (found?.ours !== true) return 'nothing'
    await callback(iam)
    return 'something'
  }

  return {
    async create(user, signal) {
      const home = await clients.iam(user.account, signal)
      await createUser(home, user, signal)
      await secureUser(home, user, labPolicy, signal)
      await createLogin(home.iam, user, signal)
      return { account: home.account }
    },

    async secure(user, signal) {
      const home = await clients.iam(user.account, signal)
      const found = await findUser(home.iam, user, signal)
      if (found?.ours === true) await secureUser(home, user, labPolicy, signal)
    },

    async getState(at, signal) {
      const { iam, account } = await clients.iam(at.account, signal)
      const found = await findUser(iam, at, signal)
      if (found === null) return { state: 'absent' }
      if (!found.ours) return { state: 'foreign' }
      const bounded = found.user.PermissionsBoundary?.PermissionsBoundaryArn === boundaryArn(account)
      return { state: 'existing', secured: bounded && (await hasExpiry(iam, at, signal)) }
    },

    async block(at, signal) {
      await withOurUser(at, signal, (iam) => blockUser(iam, at.username, signal))
    },

    remove: (at, signal) => withOurUser(at, signal, (iam) => deleteUser(iam, at.username, signal)),

    async list(signal) {
      const { iam } = await clients.iam(null, signal)
      return listUsers(iam, signal)
    },

    retire: (account, signal) => retireAwsAccount(clients, unitsOf(units), account, signal),

    getAccountState: (account, signal) => accountState(clients, unitsOf(units), account, signal),
  }
}

async function hasExpiry(iam: IAMClient, at: AwsUserRef & AwsUserExpiry, abortSignal: AbortSignal): Promise<boolean> {
  const command = new GetUserPolicyCommand({ UserName: at.username, PolicyName: UNTIL })
  try {
    const reply = await attempt(`read the limits of the user ${at.username}`, () => iam.send(command, { abortSignal }))
    return decodeURIComponent(reply.PolicyDocument ?? '') === denyAfter(at.until)
  } catch (problem) {
    if (hasCode(problem, 'NoSuchEntity')) return false
    throw problem
  }
}

function unitsOf(units: Units | null): Units {
  if (units !== null) return units
  throw new CloudError(
    'refused',
    'Set AWS_LAB_UNIT and AWS_CLEANUP_UNIT: leased accounts are moved between these units.',
  )
}
