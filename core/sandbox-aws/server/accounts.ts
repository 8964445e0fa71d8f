import { ListUsersCommand } from '@aws-sdk/client-iam'
import { ListParentsCommand, MoveAccountCommand } from '@aws-sdk/client-organizations'
import { attempt, type AwsClients, requireValue } from './clients.ts'
import { PATH } from './documents.ts'
import { ignoring } from './find.ts'

export interface Units {
  readonly lab: string
  /** The unit in which the operator's cleaner empties accounts before moving them back. */
  readonly cleanup: string
}

export async function retireAwsAccount(
  clients: AwsClients,
  units: Units,
  account: string,
  abortSignal: AbortSignal,
): Promise<void> {
  const parent = await parentOf(clients, account, abortSignal)
  if (parent === units.cleanup) return
  const move = new MoveAccountCommand({
    AccountId: account,
    SourceParentId: parent,
    DestinationParentId: units.cleanup,
  })
  await ignoring(['DuplicateAccount'], () =>
    attempt(`move the account ${account} to the clean-up unit`, () =>
      clients.organizations.send(move, { abortSignal }),
    ),
  )
}

export async function accountState(
  clients: AwsClients,
  units: Units,
  account: string,
  abortSignal: AbortSignal,
): Promise<'away' | 'clean' | 'used'> {
  if ((await parentOf(clients, account, abortSignal)) !== units.lab) return 'away'
  const { iam } = await clients.iam(account, abortSignal)
  const { Users } = await attempt(`list the users of the account ${account}`, () =>
    iam.send(new ListUsersCommand({ PathPrefix: PATH, MaxItems: 1 }), { abortSignal }),
  )
  return (Users ?? []).length === 0 ? 'clean' : 'used'
}

async function parentOf({ organizations }: AwsClients, account: string, abortSignal: AbortSignal): Promise<string> {
  const action = `find the unit of the account ${account}`
  const command = new ListParentsCommand({ ChildId: account })
  const { Parents } = await attempt(action, () => organizations.send(command, { abortSignal }))
  return requireValue(Parents?.[0]?.Id, action)
}
