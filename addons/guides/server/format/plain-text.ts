import { INVISIBLE } from '@trainyard/platform/contract/words/comparison-key.ts'
import { errorAt, type Finding } from './finding.ts'
import { GUIDE_LIMITS } from './schema.ts'

/** Returns the text of UTF-8 without its byte order mark; null for other bytes. */
export function textOf(content: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return null
  }
}

/** Returns why a text or a file in YAML is not parsed. */
export function tooLarge(path: string, content: Buffer): Finding[] {
  if (path.endsWith('.yaml') && content.length > GUIDE_LIMITS.yaml)
    return [errorAt(path, '', 'The file is larger than 256 kB.')]
  if (!path.endsWith('.md')) return []
  if (content.length > GUIDE_LIMITS.markdown) return [errorAt(path, '', 'The text is larger than 256 kB.')]
  const long = content
    .toString('latin1')
    .split('\n')
    .findIndex((line) => line.length > GUIDE_LIMITS.line)
  return long < 0 ? [] : [errorAt(path, long + 1, `The line is longer than ${GUIDE_LIMITS.line} bytes.`)]
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
