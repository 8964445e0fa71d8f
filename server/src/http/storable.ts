import { Problem } from '../core/errors.ts'

/**
 * Refuses texts that no database keeps: a NUL character, half of a surrogate pair. Looked at before any shape, so that
 * no field can forget it; without recursion, so that depth does no harm.
 */
export function refuseUnstorable(...asked: unknown[]): void {
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
  const field = key === undefined || /^\d+$/.test(key) ? 'A text of the request' : key.slice(0, 60)
  throw new Problem('malformed', `${field} holds a character that can not be kept.`)
}
