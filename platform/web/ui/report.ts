import { messageOf } from '../api/error.ts'
import { type CachedCalls, invalidate } from '../api/queries.ts'
import { notify } from './notices.ts'

/** Makes a call of a command and shows its message. */
export async function report(
  call: () => Promise<{ readonly message: string }>,
  ...invalidates: readonly CachedCalls[]
): Promise<void> {
  try {
    notify.status((await call()).message)
    await invalidate(...invalidates)
  } catch (error) {
    notify.alert(messageOf(error))
  }
}
