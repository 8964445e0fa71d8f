import { Problem } from '../core/errors.ts'

/**
 * Rejects text that PostgreSQL cannot store: NUL characters and unpaired surrogates. Runs before schema validation, so
 * that no field is missed, and without recursion, so that deep nesting is harmless.
 */
export function rejectUnstorableText(...asked: unknown[]): void {
  const open = [...asked]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') refuseText(value)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value)) {
        if (typeof part === 'string') refuseText(part, key)
        else if (part !== null && typeof part === 'object') open.push(part)
      }
    }
  }
}

function refuseText(text: string, key?: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return
  const field = key === undefined || /^\d+$/.test(key) ? 'A field of the request' : key.slice(0, 60)
  throw new Problem('malformed', `${field} contains a character that cannot be stored.`)
}
