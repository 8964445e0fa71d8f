import { RECHECK_MS, LATE_CREATION_MS } from '@trainyard/sandbox-azure/server/azure/absence.ts'
import type { AwsUsers } from '@trainyard/sandbox-aws/server/aws-users.ts'
import type { Identity } from '@trainyard/sandbox-azure/server/identity-provider.ts'
import type { SandboxGroups } from '@trainyard/sandbox-azure/server/sandbox-groups.ts'
import type { CloudAccounts, Journal, LeftResource, LiveResource } from './journal.ts'
import { ScenarioError } from './scenario.ts'
import { type Polling, until, retryUntilAccepted } from './polling.ts'

export interface LiveProviders {
  readonly groups: SandboxGroups
  readonly identity: Identity
  readonly aws: AwsUsers | null
  readonly cloudAccounts: CloudAccounts
}

export interface RemovalPolling extends Polling {
  readonly lag: number
}

export async function deleteLeftResources(
  journal: Journal,
  ends: LiveProviders,
  polling: RemovalPolling,
): Promise<string[]> {
  const sentences = await Promise.all(
    journal.resources().map(async (remaining) => {
      try {
        await remove(remaining, ends, polling)
        journal.recordDeleted(remaining.thing)
        return null
      } catch (error) {
        return `${nameOf(remaining.thing)} still exists: ${error instanceof Error ? error.message : String(error)}`
      }
    }),
  )
  return sentences.filter((sentence) => sentence !== null)
}

export function nameOf(item: LiveResource): string {
  if (item.kind === 'group') return `The resource group ${item.group}`
  return item.kind === 'directoryUser' ? `The Entra user ${item.signInName}` : `The AWS user ${item.username}`
}

function remove({ at, thing, since }: LeftResource, ends: LiveProviders, polling: RemovalPolling): Promise<void> {
  const { groups, identity, aws, cloudAccounts } = ends
  // With other settings, the resource would seem absent and be removed from the journal.
  if (at !== cloudAccounts[thing.kind]) {
    throw new ScenarioError(`it was created on ${at}, but the current settings use ${cloudAccounts[thing.kind]}.`)
  }
  if (thing.kind === 'group') return removeGroup(thing, groups, polling)
  if (thing.kind === 'directoryUser') return removeUser(thing, identity, since, polling)
  if (aws === null) throw new Error('AWS_LAB_ACCESS_KEY_ID and its secret are no longer set.')
  return removeAwsUser(thing, aws, since, polling)
}

type Place<Kind extends LiveResource['kind']> = Omit<Extract<LiveResource, { kind: Kind }>, 'kind'>

/**
 * Deletes a resource group. A group without the portal's tag may belong to another owner, so the group is reported instead of deleted.
 */
export async function removeGroup(ref: Place<'group'>, groups: SandboxGroups, polling: RemovalPolling): Promise<void> {
  const { signal } = polling
  await until('the group was deleted', polling, async () => {
    const current = await groups.getGroup(ref, signal)
    if (current.state === 'absent') return true
    if (!current.ours)
      throw new ScenarioError('it no longer has the tag trainyard-sandbox. Check it and delete it manually.')
    if (current.state === 'existing') await groups.deleteGroup(ref, signal)
    return null
  })
}

/** @param since time from which the user may exist, in milliseconds of this machine's clock */
export async function removeUser(
  user: Place<'directoryUser'>,
  identity: Identity,
  since: number,
  polling: RemovalPolling,
): Promise<void> {
  const { signal } = polling
  const isMissing = missing(since, polling)
  let objectId: string | null = null
  await until('the user was deleted', polling, async () => {
    const current = await identity.getUser({ ...user, objectId }, signal)
    if (current.state === 'absent') return isMissing(objectId !== null)
    objectId = current.objectId
    if (current.state === 'existing') await identity.blockUser(objectId, signal)
    await identity.deleteUser(objectId, signal)
    return null
  })
}

export async function removeAwsUser(
  user: Place<'awsUser'>,
  aws: AwsUsers,
  since: number,
  polling: RemovalPolling,
): Promise<void> {
  const ref = { ...user, account: null }
  const isMissing = missing(since, polling)
  let found = false
  await retryUntilAccepted('blocking the user', polling, () => aws.block(ref, polling.signal))
  await until('the user was deleted', polling, async () => {
    if ((await aws.remove(ref, polling.signal)) === 'nothing') return isMissing(found)
    found = true
    return null
  })
}

/**
 * Returns true as soon as a user counts as absent. Directories show new users with a delay, and their replicas differ.
 */
function missing(since: number, { lag }: RemovalPolling): (wasSeen: boolean) => true | null {
  let absentAt: number | null = null
  return (wasSeen) => {
    const now = Date.now()
    absentAt ??= now
    const arrived = wasSeen || now >= since + lag * LATE_CREATION_MS
    return arrived && now >= absentAt + lag * RECHECK_MS ? true : null
  }
}
