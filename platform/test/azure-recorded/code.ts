import type { Recording } from '../../emulator/test/recordings.ts'
import { errorIn } from '@trainyard/azure/server/error-body.ts'

/**
 * Returns the code of an error, followed by a slash and the code of the first detail if it differs; null for a success.
 */
export function codeOf({ status, body }: Recording): string | null {
  if (status < 400) return null
  const { code, details } = errorIn(JSON.stringify(body))
  const [detail = code] = details
  return detail === code ? code || 'none' : `${code}/${detail}`
}
