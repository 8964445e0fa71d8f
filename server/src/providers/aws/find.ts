import { GetUserCommand, type IAMClient, paginateListUsers, type User } from '@aws-sdk/client-iam'
import type { AwsUserPlace } from '../aws-users.ts'
import { attempt, given } from './clients.ts'
import { PATH } from './documents.ts'
import { says } from './errors.ts'

export const TAG = 'trainyard-user'

/** Returns the user; null if there is none of that name. `ours` depends on the tag, not on the name. */
export async function findUser(
  iam: IAMClient,
  { id, username }: AwsUserPlace,
  abortSignal: AbortSignal,
): Promise<{ readonly user: User; readonly ours: boolean } | null> {
  const doing = `read the user ${username}`
  try {
    const reply = await attempt(doing, () => iam.send(new GetUserCommand({ UserName: username }), { abortSignal }))
    const user = given(reply.User, doing)
    return { user, ours: user.Tags?.some(({ Key, Value }) => Key === TAG && Value === id) ?? false }
  } catch (problem) {
    if (says(problem, 'NoSuchEntity')) return null
    throw problem
  }
}

export function listUsers(client: IAMClient, abortSignal: AbortSignal): Promise<string[]> {
  const doing = 'list the lab users'
  return attempt(doing, async () => {
    const names: string[] = []
    const pages = paginateListUsers({ client, pageSize: 1000 }, { PathPrefix: PATH }, { abortSignal })
    for await (const { Users } of pages)
      names.push(...given(Users, doing).map(({ UserName }) => given(UserName, doing)))
    return names
  })
}

/** Makes a call and ignores AWS's errors with one of these codes, which mean that the work was already done. */
export async function unless(codes: readonly string[], call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (problem) {
    if (!says(problem, ...codes)) throw problem
  }
}
