import { CloudError } from '../errors.ts'

/** Shared work's result, or an error as soon as the caller is called off; the work itself goes on for the others. */
export async function leaving<T>(doing: string, work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(new CloudError('unreachable', `${doing} was broken off.`))
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
