import { callOf } from '#test/recorded-call.ts'
import type { Recording } from '#test/recordings.ts'
import type { Stage } from '#test/azure-recorded/stage.ts'
import type { Request } from '#test/azure-recorded/translate.ts'

/** Prepares the directory for a Graph request: creates the users in its path or in the recorded list. */
export async function prepareUsers(stage: Stage, recording: Recording, request: Request): Promise<Request> {
  const { operation } = callOf(request.method, request.path)
  if (recording.status >= 400 || operation === 'POST users') return request
  const { value } = (recording.body ?? {}) as { value?: { userPrincipalName: string }[] }
  if (value !== undefined) {
    for (const { userPrincipalName } of value) await stage.createUser(userPrincipalName)
    return request
  }
  const id = await stage.createUser()
  if (operation === 'DELETE deletedItems') await stage.deleteUser(id)
  return { ...request, path: request.path.replace(/(users|deletedItems)\/[^/?]+/, `$1/${id}`) }
}
