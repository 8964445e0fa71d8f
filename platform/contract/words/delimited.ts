/** A record of delimited text, such as a row of a CSV file. Records that contain only empty cells are omitted. */
export interface DelimitedRecord {
  /** Line of its start, counted from 1 as an editor does. */
  readonly line: number
  readonly text: string
  readonly cells: readonly string[]
  /** Reason why the record cannot be read; null if it can. An unreadable record is always a single line. */
  readonly problem: string | null
}

export interface DelimitedReader {
  /** Reads the next piece of the text. Returns the records that end in it. */
  read(text: string): DelimitedRecord[]
  /** Ends the text. Returns the last records. */
  end(): DelimitedRecord[]
}

interface ReadOptions {
  readonly separator: string
  /** Accepts text after a closing quote, as in `"Rao, Asha" <asha@example.com>`. */
  readonly textAfterQuote?: boolean
  /**
   * Returns false for cells that cannot be one record. Called for records of several lines, in which a quote may be
   * missing.
   */
  readonly fits?: (cells: readonly string[]) => boolean
}

/** Maximum length of a record. Without this limit, a quote that is never closed would consume the remaining text. */
const RECORD_LENGTH = 256 * 1024

const QUOTE_NOT_CLOSED = 'a quoted field that starts there is never closed'
const QUOTE_MISPLACED = 'it has a quote in an invalid position'
const TOO_LONG = `it is longer than ${RECORD_LENGTH / 1024} KB`

/** Separators of columns, in the order in which they are preferred. */
export const SEPARATORS = ['\t', ';', ',', '|'] as const

/**
 * Reads delimited text (RFC 4180) piece by piece. Accepts \n, \r\n and \r as line ends, also mixed, and byte order
 * marks at the start of a line. A record with a misplaced or unclosed quote ends at its line: the next line is a new
 * record.
 */
export function delimitedReader(options: ReadOptions): DelimitedReader {
  let rest = ''
  let line = 1
  let endsWithReturn = false
  /** True if the start of the current line was reported as too long. */
  let isSkipping = false

  const readAll = (isEnd: boolean): DelimitedRecord[] => {
    const records: DelimitedRecord[] = []
    let at = 0
    while (at < rest.length) {
      if (isSkipping) {
        const lineEnd = rest.indexOf('\n', at)
        at = lineEnd < 0 ? rest.length : lineEnd + 1
        isSkipping = lineEnd < 0
        if (!isSkipping) line++
        continue
      }
      const start = skipMarks(rest, at)
      const found = recordAt(rest, start, { ...options, isEnd })
      if (found === 'incomplete') break
      const { end, cells, problem } = found
      if (problem !== null || cells.some((cell) => cell.trim() !== '')) {
        records.push({ line, text: rest.slice(start, end), cells, problem })
      }
      isSkipping = end === rest.length && problem !== null && !isEnd
      line += isSkipping ? 0 : countLineEnds(rest, at, end) + 1
      at = Math.min(rest.length, end + (isSkipping ? 0 : 1))
    }
    rest = rest.slice(at)
    return records
  }

  return {
    read(text) {
      // The line feed after a return may be in the next piece.
      const whole = endsWithReturn ? `\r${text}` : text
      endsWithReturn = whole.endsWith('\r')
      rest += unifyLineEnds(endsWithReturn ? whole.slice(0, -1) : whole)
      return readAll(false)
    },
    end() {
      if (endsWithReturn) rest += '\n'
      endsWithReturn = false
      return readAll(true)
    },
  }
}

export function readDelimited(text: string, options: ReadOptions): DelimitedRecord[] {
  const reader = delimitedReader(options)
  return [...reader.read(text), ...reader.end()]
}

export const unifyLineEnds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

/** Returns the separator that the first line of a file names (`sep=;`), as spreadsheet programs write and read it. */
export const namedSeparator = (text: string): string | null => SEPARATOR_LINE.exec(text)?.[1] ?? null

/** Matches `sep=` with the separator, also quoted or followed by the empty cells of its line. */
const SEPARATOR_LINE = /^\uFEFF*"?sep=([,;|\t])"?[,;|\t ]*(?=[\r\n]|$)/i

export const isSeparatorLine = (text: string): boolean => SEPARATOR_LINE.test(text)

interface RecordEnd {
  /** Position of the line end, or the length of the text. */
  readonly end: number
  readonly cells: readonly string[]
  readonly problem: string | null
}

type Field = { readonly value: string; readonly end: number } | { readonly problem: string } | 'incomplete'

type RecordOptions = ReadOptions & { readonly isEnd: boolean }

function recordAt(text: string, start: number, options: RecordOptions): RecordEnd | 'incomplete' {
  const cells: string[] = []
  let at = start
  for (;;) {
    const field = fieldAt(text, at, options)
    if (field === 'incomplete') return unfinished(text, start, QUOTE_NOT_CLOSED, options)
    if ('problem' in field) return badLine(text, start, field.problem, options)
    cells.push(field.value)
    if (text[field.end] !== options.separator) {
      if (field.end === text.length && !options.isEnd) return unfinished(text, start, TOO_LONG, options)
      if (options.fits?.(cells) === false && text.slice(start, field.end).includes('\n')) {
        return badLine(text, start, QUOTE_NOT_CLOSED, options)
      }
      return { end: field.end, cells, problem: null }
    }
    at = field.end + 1
    if (at - start > RECORD_LENGTH) return badLine(text, start, TOO_LONG, options)
  }
}

const unfinished = (text: string, start: number, problem: string, options: RecordOptions): RecordEnd | 'incomplete' =>
  options.isEnd || text.length - start > RECORD_LENGTH ? badLine(text, start, problem, options) : 'incomplete'

function badLine(text: string, start: number, problem: string, { isEnd }: RecordOptions): RecordEnd | 'incomplete' {
  const lineEnd = text.indexOf('\n', start)
  if (lineEnd >= 0) return { end: lineEnd, cells: [], problem }
  return isEnd || text.length - start > RECORD_LENGTH ? { end: text.length, cells: [], problem } : 'incomplete'
}

function fieldAt(text: string, from: number, { separator, textAfterQuote, isEnd }: RecordOptions): Field {
  let start = from
  while (text[start] === ' ') start++
  if (text[start] !== '"') {
    const end = plainEnd(text, from, separator)
    const value = text.slice(from, end)
    return textAfterQuote || !value.includes('"') ? { value, end } : { problem: QUOTE_MISPLACED }
  }
  let value = ''
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length - start > RECORD_LENGTH ? { problem: QUOTE_NOT_CLOSED } : 'incomplete'
    if (quote - start > RECORD_LENGTH) return { problem: QUOTE_NOT_CLOSED }
    value += text.slice(at, quote)
    at = quote + 1
    if (at === text.length && !isEnd) return 'incomplete'
    if (text[at] !== '"') break
    value += '"'
    at++
  }
  let end = at
  while (text[end] === ' ') end++
  if (end === text.length || text[end] === separator || text[end] === '\n') return { value, end }
  if (!textAfterQuote || value.includes('\n')) return { problem: QUOTE_MISPLACED }
  end = plainEnd(text, at, separator)
  return { value: text.slice(start, end), end }
}

function plainEnd(text: string, from: number, separator: string): number {
  const code = separator.charCodeAt(0)
  for (let end = from; end < text.length; end++) {
    const at = text.charCodeAt(end)
    if (at === code || at === LINE_FEED) return end
  }
  return text.length
}

const LINE_FEED = 10

function skipMarks(text: string, from: number): number {
  let at = from
  while (text[at] === '\uFEFF') at++
  return at
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Returns the encoding of a file: UTF-16 by its byte order mark or by its zero bytes, otherwise UTF-8. */
export function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const pairs = Math.min(head.length, 64) >> 1
  const zeros = (odd: 0 | 1) => Array.from({ length: pairs }, (_, pair) => head[pair * 2 + odd]).filter((b) => b === 0)
  if (pairs > 1 && zeros(1).length > pairs / 2) return 'utf-16le'
  return pairs > 1 && zeros(0).length > pairs / 2 ? 'utf-16be' : 'utf-8'
}

/** Decodes a file. Bytes that are not valid UTF-8 are read as Windows-1252, which spreadsheet programs also write. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
