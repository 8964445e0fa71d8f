import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { call, type CallOptions } from './calls.ts'

/** Returns all entries. Rejects a response without a list, which the SDK reads as an empty one. */
export async function listAll<T>(
  action: string,
  signal: AbortSignal,
  list: (options: CallOptions) => AsyncIterable<T>,
): Promise<T[]> {
  const { body } = await call(action, signal, async (each) => {
    const found: T[] = []
    const pages = list({
      ...each,
      onResponse: (response, reply) => {
        each.onResponse(response, reply)
        if (response.status < 400) requireList(reply)
      },
    })
    for await (const item of pages) found.push(item)
    return found
  })
  return body
}

export function requireList(reply: unknown): void {
  if (!isList(reply)) throw new CloudError('unreachable', "Azure's list could not be read.")
}

export const isList = (reply: unknown): reply is { readonly value: readonly unknown[] } =>
  typeof reply === 'object' && reply !== null && 'value' in reply && Array.isArray(reply.value)
