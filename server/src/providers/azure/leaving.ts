import { CloudError } from '../errors.ts'

/**
 * Returns the result of shared work, or rejects as soon as the caller aborts. The work continues for the other callers.
 */
export async function leaving<T>(doing: string, work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(new CloudError('unreachable', `${doing} was aborted.`))
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
