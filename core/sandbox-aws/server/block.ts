import {
  DeleteLoginProfileCommand,
  type IAMClient,
  paginateListAccessKeys,
  PutUserPolicyCommand,
  UpdateAccessKeyCommand,
} from '@aws-sdk/client-iam'
import { attempt, attemptAll } from './clients.ts'
import { BLOCKED, denyAll } from './documents.ts'
import { ignoring } from './find.ts'

/** Denies all actions, deletes the password and disables the keys. If one step fails, the other steps still run. */
export async function blockUser(iam: IAMClient, UserName: string, abortSignal: AbortSignal): Promise<void> {
  const action = `block the user ${UserName}`
  const deny = new PutUserPolicyCommand({ UserName, PolicyName: BLOCKED, PolicyDocument: denyAll() })
  await attemptAll(action, [
    () => iam.send(deny, { abortSignal }),
    () => deleteLogin(iam, UserName, abortSignal),
    () => disableKeys(iam, UserName, abortSignal),
  ])
}

export const deleteLogin = (iam: IAMClient, UserName: string, abortSignal: AbortSignal): Promise<void> =>
  ignoring(['NoSuchEntity'], () =>
    attempt(`delete the password of the user ${UserName}`, () =>
      iam.send(new DeleteLoginProfileCommand({ UserName }), { abortSignal }),
    ),
  )

async function disableKeys(client: IAMClient, UserName: string, abortSignal: AbortSignal): Promise<void> {
  const action = `disable the keys of the user ${UserName}`
  const keys: (string | undefined)[] = []
  await attempt(action, async () => {
    for await (const { AccessKeyMetadata } of paginateListAccessKeys({ client }, { UserName }, { abortSignal })) {
      keys.push(...(AccessKeyMetadata ?? []).map(({ AccessKeyId }) => AccessKeyId))
    }
  })
  for (const AccessKeyId of keys) {
    const stop = new UpdateAccessKeyCommand({ UserName, AccessKeyId, Status: 'Inactive' })
    await ignoring(['NoSuchEntity'], () => attempt(action, () => client.send(stop, { abortSignal })))
  }
}
