import { INVISIBLE } from '@trainyard/platform/contract/words/comparison-key.ts'
import { errorAt, type Finding } from './finding.ts'

/** Returns the text of UTF-8 without its byte order mark; null for other bytes. */
export function textOf(content: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return null
  }
}

/** Titles, hints and answers are shown without a parser that would show hidden characters. */
export function hiddenTexts(file: string, value: unknown, at: readonly string[] = []): Finding[] {
  if (typeof value === 'string')
    return INVISIBLE.test(value) || /(?!\n)\p{Cc}/u.test(value)
      ? [errorAt(file, at.join('.'), 'The value must not contain invisible characters.')]
      : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => hiddenTexts(file, each, [...at, key]))
}
