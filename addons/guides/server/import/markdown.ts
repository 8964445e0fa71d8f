/** A fenced block of Markdown. */
export interface Fence {
  readonly kind: 'fence'
  /** Number of its first line, from 1. */
  readonly line: number
  readonly indent: string
  readonly info: string
  readonly body: string
  /** Text after the closing marks, such as `{{exec}}`. */
  readonly tail: string
}

/** Lines between two fences. */
export interface Prose {
  readonly kind: 'prose'
  readonly line: number
  readonly text: string
}

/**
 * Returns the fences of a text and the text between them. A fence closes with the same character in at least the same
 * number, or with three of them and an action in braces. A fence that nothing closes ends with the text.
 */
export function partsOf(text: string): (Fence | Prose)[] {
  const parts: (Fence | Prose)[] = []
  const lines = text.split('\n')
  let prose: string[] = []
  const flush = (end: number) => {
    if (prose.length > 0) parts.push({ kind: 'prose', line: end - prose.length + 1, text: prose.join('\n') })
    prose = []
  }
  for (let i = 0; i < lines.length; i++) {
    const open = /^([\s>]*(?:[-*+]\s+|\d+[.)]\s+)?)(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/.exec(lines[i]!)
    if (open === null) {
      prose.push(lines[i]!)
      continue
    }
    flush(i)
    const [, indent = '', marks = '', info = ''] = open
    const line = i + 1
    const body: string[] = []
    let tail: string | null = null
    for (i++; i < lines.length; i++) {
      tail = tailOf(lines[i]!, marks)
      if (tail !== null) break
      body.push(lines[i]!)
    }
    const inner = body.map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each)).join('\n')
    parts.push({ kind: 'fence', line, indent, info: info.trim(), body: inner, tail: tail ?? '' })
  }
  flush(lines.length)
  return parts
}

/** Returns what follows the closing marks; null if the line does not close the fence. */
function tailOf(line: string, marks: string): string | null {
  const close = /^[\s>]*(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line)
  if (close === null || close[1]![0] !== marks[0]) return null
  const [, run = '', rest = ''] = close
  const tail = rest.trim()
  const isAction = tail.startsWith('{{') && tail.includes('}}')
  return isAction || (tail === '' && run.length >= marks.length) ? tail : null
}

/** A code span and the action in braces after it. */
const SPAN = /(?<!`)(`+)(?!`)((?:(?!\n\s*\n)[^])*?[^`])\1(?!`)(?:\{\{([^{}]*)\}\})?/g

/** Replaces code spans. @param replace gets the span with its marks, the action or undefined, and its index */
export const replaceSpans = (
  text: string,
  replace: (span: string, action: string | undefined, index: number) => string,
): string =>
  text.replace(SPAN, (_whole, marks: string, code: string, action: string | undefined, index: number) =>
    replace(`${marks}${code}${marks}`, action, index),
  )

/** Returns a fence with marks that its body does not contain. */
export function fenced({ indent, info, body }: Pick<Fence, 'indent' | 'info' | 'body'>): string {
  const longest = Math.max(2, ...[...body.matchAll(/`{3,}/g)].map(([marks]) => marks.length))
  const marks = '`'.repeat(longest + 1)
  const rest = /[-*+\d.)]/.test(indent) ? indent.replace(/[^\s>]/g, ' ') : indent
  const lines = body === '' ? [] : body.split('\n').map((line) => `${rest}${line}`)
  return [`${indent}${marks}${info}`, ...lines, `${rest}${marks}`].join('\n')
}

/** Returns a function that tells the number of the line in which an index is. @param first number of the first line */
export function linesOf(text: string, first = 1): (index: number) => number {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at)
  return (index) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! < index) low = middle + 1
      else high = middle
    }
    return first + low
  }
}

/** Returns the values between the lines `---` at the start as text, and what follows, with the number of its line. */
export function splitFrontMatter(text: string): {
  readonly matter: string
  readonly body: string
  readonly line: number
} {
  const found = /^---[ \t]*\n([^]*?)\n---[ \t]*(?:\n|$)/.exec(text)
  if (found === null) return { matter: '', body: text, line: 1 }
  return { matter: found[1]!, body: text.slice(found[0].length), line: found[0].split('\n').length }
}

export const detailsIn = (text: string): number => text.match(/<details/gi)?.length ?? 0

/** Returns the text with `details` as a guide allows it. */
export const plainDetails = (text: string): string => text.replace(/<details\b[^>]{0,200}>/gi, '<details>')
