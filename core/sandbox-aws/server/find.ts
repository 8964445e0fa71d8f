import { GetUserCommand, type IAMClient, paginateListUsers, type User } from '@aws-sdk/client-iam'
import type { AwsUserRef } from './aws-users.ts'
import { attempt, requireValue } from './clients.ts'
import { PATH } from './documents.ts'
import { hasCode } from './errors.ts'

export const TAG = 'trainyard-user'

/** Returns the user; null if no user has that name. `ours` depends on the tag, not on the name. */
export async function findUser(
  iam: IAMClient,
  { id, username }: AwsUserRef,
  abortSignal: AbortSignal,
): Promise<{ readonly user: User; readonly ours: boolean } | null> {
  const action = `read the user ${username}`
  try {
    const reply = await attempt(action, () => iam.send(new GetUserCommand({ UserName: username }), { abortSignal }))
    const user = requireValue(reply.User, action)
    return { user, ours: user.Tags?.some(({ Key, Value }) => Key === TAG && Value === id) ?? false }
  } catch (problem) {
    if (hasCode(problem, 'NoSuchEntity')) return null
    throw problem
  }
}

export function listUsers(client: IAMClient, abortSignal: AbortSignal): Promise<string[]> {
  const action = 'list the lab users'
  return attempt(action, async () => {
    const names: string[] = []
    const pages = paginateListUsers({ client, pageSize: 1000 }, { PathPrefix: PATH }, { abortSignal })
    for await (const { Users } of pages)
      names.push(...requireValue(Users, action).map(({ UserName }) => requireValue(UserName, action)))
    return names
  })
}

export async function ignoring(codes: readonly string[], call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (problem) {
    if (!hasCode(problem, ...codes)) throw problem
  }
}
