import { CloudError } from '@trainyard/platform/server/providers/errors.ts'

/** Returns the result of shared work, or rejects when the caller aborts. The work continues for other callers. */
export async function abortable<T>(action: string, pending: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new CloudError('unreachable', `${action} was aborted.`))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([pending, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
