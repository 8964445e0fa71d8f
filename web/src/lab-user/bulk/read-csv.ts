import Papa from 'papaparse'
import { isEmail } from '@trainyard/contract/words/email.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'

/** A row of the file as written. `line` is its first line; the header is line 1. */
export interface CsvRow {
  readonly line: number
  readonly username: string
  readonly personalEmail: string
  readonly duration: string | null
  readonly problem: string | null
}

export type Reading = { readonly rows: readonly CsvRow[] } | { readonly problem: string }

const ROWS_MAX = 5_000

/** Parses a list of users: a header, then a username, a personal e-mail and optionally a duration per row. */
export function readCsv(text: string): Reading {
  // Unify line ends, so that line ends within cells can be counted.
  const whole = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const { data, errors } = Papa.parse<string[]>(whole, { newline: '\n', delimiter: delimiterOf(whole) })
  const misquoted = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row }) => row))
  const rows: CsvRow[] = []
  const header = data[0]?.map((cell) => cell.trim()) ?? []
  const hasDuration = /^(?:duration|days)\b/i.test(header[2] ?? '')
  let line = 1
  for (const [index, cells] of data.entries()) {
    const [username = '', personalEmail = '', duration = ''] = cells.map((cell) => cell.trim())
    const problem = misquoted.has(index) ? 'A quotation mark is not closed or is in the wrong place.' : null
    if (index === 0) {
      if (isEmail(personalEmail)) rows.push({ line, username, personalEmail, duration: null, problem: NO_HEADER })
    } else if (cells.some((cell) => cell.trim() !== '')) {
      rows.push({ line, username, personalEmail, duration: (hasDuration && duration) || null, problem })
    }
    line += 1 + cells.reduce((ends, cell) => ends + cell.split('\n').length - 1, 0)
  }
  const users = rows.filter(({ problem }) => problem !== NO_HEADER)
  if (users.length === 0) return { problem: ALERTS.csvEmpty }
  if (!users.some(({ username, personalEmail }) => username && personalEmail)) return { problem: ALERTS.csvInvalid }
  if (users.length > ROWS_MAX) return { problem: `The file has more than ${ROWS_MAX} users. Please split it.` }
  return { rows }
}

const NO_HEADER =
  'The first line must be the header, but it contains a user. Add the line username,personalEmail above it.'

/** Returns the header's separator, which spreadsheet programs choose by country. */
const delimiterOf = (text: string): string =>
  /[,;\t|]/.exec(text.split('\n', 1)[0]!.replaceAll(/"[^"]*"/g, ''))?.[0] ?? ','

export type Chosen = Reading & { readonly name: string }

const BYTES_MAX = 2_000_000

export async function readFile(file: File): Promise<Chosen> {
  if (file.size > BYTES_MAX) return { name: file.name, problem: 'The file is larger than 2 MB. Please split it.' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  // Some spreadsheet programs write UTF-16 with a byte order mark.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  return { name: file.name, ...readCsv(new TextDecoder(encoding).decode(bytes)) }
}
