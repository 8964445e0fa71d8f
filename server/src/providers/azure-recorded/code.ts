import type { Recording } from '@trainyard/emulator/testing/recordings.ts'

interface Said {
  readonly code?: unknown
  readonly details?: readonly { readonly code?: unknown }[]
}

/** The code of a refusal, with that of its first detail after a slash where there is another; null for an answer. */
export function codeOf({ status, body }: Recording): string | null {
  if (status < 400) return null
  const error = errorIn(body)
  if (typeof error?.code !== 'string') return 'none'
  const detail = error.details?.[0]?.code
  return typeof detail === 'string' && detail !== error.code ? `${error.code}/${detail}` : error.code
}

/** Azure's usual shape of a refusal. */
function errorIn(body: unknown): Said | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  return body.error as Said
}
