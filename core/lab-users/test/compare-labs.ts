import type { Db } from '@trainyard/platform/server/db/schema.ts'

export interface LabRecord {
  readonly users: readonly {
    readonly mailNickname: string
    readonly exists: boolean
    readonly canSignIn: boolean
    readonly roles: readonly { readonly group: string; readonly role: string }[]
  }[]
  readonly resourceGroups: readonly { readonly name: string; readonly tags: Readonly<Record<string, string>> }[]
  readonly history: readonly { readonly event: string; readonly type: string; readonly id: string }[]
}

/**
 * Compares lab users and sandboxes with the provider's record: ended users are blocked, active users exist once, and
 * only resource groups of sandboxes were deleted (invariants B3 and B4). Valid only while nothing is changing.
 * @returns one sentence per difference
 */
export async function labDifferences(db: Db, record: LabRecord): Promise<string[]> {
  const users = await db.selectFrom('azure_user').select(['id', 'email', 'desired', 'object_id']).execute()
  const sandboxes = await db.selectFrom('sandbox').select(['id', 'group_name', 'desired', 'create_sent_at']).execute()
  const readyIds = new Set(users.filter(({ desired }) => desired === 'ready').map(({ id }) => id as string))
  const knownIds = new Set(users.map(({ id }) => id as string))
  const activeSandboxIds = new Set(sandboxes.filter(({ desired }) => desired !== 'gone').map(({ id }) => id as string))
  const sandboxGroups = new Set(
    sandboxes.filter((each) => each.create_sent_at !== null).map(({ group_name }) => group_name.toLowerCase()),
  )
  const nameOf = (id: string) => id.slice(id.lastIndexOf('/') + 1).toLowerCase()
  const ownUsers = record.users.filter(({ mailNickname }) => knownIds.has(mailNickname))
  return [
    ...ownUsers
      .filter((user) => !readyIds.has(user.mailNickname) && (user.exists || user.canSignIn))
      .map((user) => `the ended user ${user.mailNickname} can still sign in`),
    ...users
      .filter(
        ({ id, desired, object_id }) =>
          desired === 'ready' &&
          object_id !== null &&
          !ownUsers.some((user) => user.exists && user.mailNickname === id),
      )
      .map(({ email }) => `the user ${email} is missing in the directory`),
    ...[
      ...Map.groupBy(
        ownUsers.filter(({ exists }) => exists),
        ({ mailNickname }) => mailNickname,
      ),
    ]
      .filter(([, duplicates]) => duplicates.length > 1)
      .map(([id]) => `the user ${id} exists twice`),
    ...record.resourceGroups
      .filter(({ tags }) => tags['trainyard-sandbox'] !== undefined && !activeSandboxIds.has(tags['trainyard-sandbox']))
      .map(({ name }) => `the group ${name} exists without a sandbox`),
    ...record.history
      .filter(({ event, type }) => event === 'deleted' && type === 'Microsoft.Resources/resourceGroups')
      .filter(({ id }) => !sandboxGroups.has(nameOf(id)))
      .map(({ id }) => `the group ${nameOf(id)} was deleted and never was a sandbox`),
  ]
}
