import type { AwsUsers } from '../providers/aws-users.ts'
import type { Identity } from '../providers/identity.ts'
import type { SandboxGroups } from '../providers/sandbox-groups.ts'
import type { Accounts, Journal, Left, Thing } from './journal.ts'
import { LifeError } from './life.ts'
import { type Patience, until, untilTaken } from './patience.ts'

/** Where things are made, and done away with. */
export interface FarEnds {
  readonly groups: SandboxGroups
  readonly identity: Identity
  /** null: there is no AWS. */
  readonly aws: AwsUsers | null
  readonly accounts: Accounts
}

/** Does away with all that the journal names. Returns a sentence for each thing that still stands. */
export async function cleanUp(journal: Journal, ends: FarEnds, patience: Patience): Promise<string[]> {
  const sentences = await Promise.all(
    journal.things().map(async (left) => {
      try {
        await remove(left, ends, patience)
        journal.isGone(left.thing)
        return null
      } catch (error) {
        return `${nameOf(left.thing)} still stands: ${error instanceof Error ? error.message : String(error)}`
      }
    }),
  )
  return sentences.filter((sentence) => sentence !== null)
}

export function nameOf(thing: Thing): string {
  if (thing.kind === 'group') return `The resource group ${thing.group}`
  return thing.kind === 'directoryUser' ? `The Entra user ${thing.signInName}` : `The AWS user ${thing.username}`
}

function remove({ at, thing }: Left, ends: FarEnds, patience: Patience): Promise<void> {
  const { groups, identity, aws, accounts } = ends
  // Elsewhere it would be found absent, and forgotten.
  if (at !== accounts[thing.kind]) {
    throw new LifeError(`it was made on ${at}, and these settings lead to ${accounts[thing.kind]}.`)
  }
  if (thing.kind === 'group') return removeGroup(thing, groups, patience)
  if (thing.kind === 'directoryUser') return removeUser(thing, identity, patience)
  if (aws === null) throw new Error('AWS_LAB_ACCESS_KEY_ID and its secret are not set any more.')
  return removeAwsUser(thing, aws, patience)
}

type Place<Kind extends Thing['kind']> = Omit<Extract<Thing, { kind: Kind }>, 'kind'>

/** A group without this very mark may be somebody else's: it is left alone, and said to stand. */
export async function removeGroup(place: Place<'group'>, groups: SandboxGroups, patience: Patience): Promise<void> {
  const { signal } = patience
  await until('the group was gone', patience, async () => {
    const seen = await groups.lookAtGroup(place, signal)
    if (seen.state === 'absent') return true
    if (!seen.ours) throw new LifeError('it has lost the tag trainyard-sandbox. Look at it, and delete it by hand.')
    if (seen.state === 'existing') await groups.deleteGroup(place, signal)
    return null
  })
}

export async function removeUser(user: Place<'directoryUser'>, identity: Identity, patience: Patience): Promise<void> {
  const { signal } = patience
  await until('the user was gone', patience, async () => {
    const seen = await identity.lookAtUser({ ...user, objectId: null }, signal)
    if (seen.state === 'absent') return true
    if (seen.state === 'existing') await identity.blockUser(seen.objectId, signal)
    await identity.deleteUser(seen.objectId, signal)
    return null
  })
}

export async function removeAwsUser(user: Place<'awsUser'>, aws: AwsUsers, patience: Patience): Promise<void> {
  const place = { ...user, account: null }
  await untilTaken('blocking the user', patience, () => aws.block(place, patience.signal))
  await until('the user was gone', patience, async () =>
    (await aws.remove(place, patience.signal)) === 'nothing' ? true : null,
  )
}
