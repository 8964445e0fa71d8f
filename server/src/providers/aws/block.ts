import {
  DeleteLoginProfileCommand,
  type IAMClient,
  paginateListAccessKeys,
  PutUserPolicyCommand,
  UpdateAccessKeyCommand,
} from '@aws-sdk/client-iam'
import { attempt, attemptAll } from './clients.ts'
import { BLOCKED, denyAll } from './documents.ts'
import { unless } from './find.ts'

/** Denies everything, deletes the password and disables the keys. A failure of one step does not skip the others. */
export async function blockUser(iam: IAMClient, UserName: string, abortSignal: AbortSignal): Promise<void> {
  const doing = `block the user ${UserName}`
  const deny = new PutUserPolicyCommand({ UserName, PolicyName: BLOCKED, PolicyDocument: denyAll() })
  await attemptAll(doing, [
    () => iam.send(deny, { abortSignal }),
    () => dropLogin(iam, UserName, abortSignal),
    () => stopKeys(iam, UserName, abortSignal),
  ])
}

export const dropLogin = (iam: IAMClient, UserName: string, abortSignal: AbortSignal): Promise<void> =>
  unless(['NoSuchEntity'], () =>
    attempt(`delete the password of the user ${UserName}`, () =>
      iam.send(new DeleteLoginProfileCommand({ UserName }), { abortSignal }),
    ),
  )

async function stopKeys(client: IAMClient, UserName: string, abortSignal: AbortSignal): Promise<void> {
  const doing = `disable the keys of the user ${UserName}`
  const keys: (string | undefined)[] = []
  await attempt(doing, async () => {
    for await (const { AccessKeyMetadata } of paginateListAccessKeys({ client }, { UserName }, { abortSignal })) {
      keys.push(...(AccessKeyMetadata ?? []).map(({ AccessKeyId }) => AccessKeyId))
    }
  })
  for (const AccessKeyId of keys) {
    const stop = new UpdateAccessKeyCommand({ UserName, AccessKeyId, Status: 'Inactive' })
    await unless(['NoSuchEntity'], () => attempt(doing, () => client.send(stop, { abortSignal })))
  }
}
