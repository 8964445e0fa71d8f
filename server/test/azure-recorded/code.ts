import type { Recording } from '@trainyard/emulator/test/recordings.ts'
import { errorIn } from '../../src/providers/azure/error-body.ts'

/** The code of a refusal, with that of its first detail after a slash where there is another; null for an answer. */
export function codeOf({ status, body }: Recording): string | null {
  if (status < 400) return null
  const { code, details } = errorIn(JSON.stringify(body))
  const [detail = code] = details
  return detail === code ? code || 'none' : `${code}/${detail}`
}
