import { decodeText, type DelimitedRecord } from '@trainyard/platform/contract/words/delimited.ts'
import { isEmail } from '@trainyard/platform/contract/words/email.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { readTable } from '@trainyard/platform/contract/words/table.ts'

/** A row of the file as written. `line` is its first line, counted from 1. */
export interface CsvRow {
  readonly line: number
  readonly username: string
  readonly personalEmail: string
  readonly duration: string | null
  readonly problem: string | null
}

export type Reading =
  | { readonly rows: readonly CsvRow[]; readonly unusedColumns: readonly string[] }
  | { readonly problem: string }

const ROWS_MAX = 5_000

/**
 * Reads a list of users: a header, then a username, a personal e-mail and optionally a duration per row. A header that
 * names the columns may be anywhere. Otherwise the first line is the header, and the columns are in this order.
 */
export function readCsv(text: string): Reading {
  const { header, rows: records } = readTable(text, {
    headings: (cells) => (columnsOf(cells) === null ? 0 : 2),
    isRow: (cells) => isEmail((cells[1] ?? '').trim()),
  })
  const first = header ?? records[0]
  const columns = columnsOf(first?.cells ?? []) ?? {
    username: 0,
    personalEmail: 1,
    duration: isDuration(first?.cells[2] ?? '') ? 2 : -1,
  }
  const rowOf = ({ line, text: lineText, cells, problem }: DelimitedRecord): CsvRow => {
    if (problem !== null) return { line, username: lineText, personalEmail: '', duration: null, problem: MISQUOTED }
    const cell = (place: number) => (cells[place] ?? '').trim()
    return {
      line,
      username: cell(columns.username),
      personalEmail: cell(columns.personalEmail),
      duration: cell(columns.duration) || null,
      problem: null,
    }
  }
  const users = (header === null ? records.slice(1) : records).map(rowOf)
  const inHeader = header === null && first !== undefined && isEmail((first.cells[1] ?? '').trim()) ? [first] : []
  if (users.length === 0) return { problem: ALERTS.csvEmpty }
  if (!users.some(({ username, personalEmail }) => username && personalEmail)) return { problem: ALERTS.csvInvalid }
  if (users.length > ROWS_MAX) return { problem: `The file has more than ${ROWS_MAX} users. Please split it.` }
  const used = Object.values(columns)
  const unusedColumns = (first?.cells ?? []).flatMap((heading, place) =>
    used.includes(place) || !records.some((record) => record !== first && (record.cells[place] ?? '').trim() !== '')
      ? []
      : [heading.trim() || `column ${place + 1}`],
  )
  return { rows: [...inHeader.map((record) => ({ ...rowOf(record), problem: NO_HEADER })), ...users], unusedColumns }
}

const NO_HEADER =
  'The first line must be the header, but it contains a user. Add the line username,personalEmail above it.'
const MISQUOTED = 'A quotation mark is not closed or is in the wrong place.'

interface Columns {
  readonly username: number
  readonly personalEmail: number
  /** Index of the column; -1 without one. */
  readonly duration: number
}

const isDuration = (heading: string): boolean => /^\s*(?:duration|days)\b/i.test(heading)

/** Returns the places of the columns; null if the cells do not name username and personal e-mail. */
function columnsOf(cells: readonly string[]): Columns | null {
  const normalisedCells = cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const username = normalisedCells.findIndex((heading) => /^(?:user|login)(?:name|id)?$/.test(heading))
  const exactColumn = normalisedCells.indexOf('personalemail')
  const personalEmail = exactColumn < 0 ? normalisedCells.findIndex((heading) => /e?mail/.test(heading)) : exactColumn
  if (username < 0 || personalEmail < 0) return null
  return { username, personalEmail, duration: cells.findIndex(isDuration) }
}

export type Chosen = Reading & { readonly name: string }

const BYTES_MAX = 2_000_000

export async function readFile(file: File): Promise<Chosen> {
  if (file.size > BYTES_MAX) return { name: file.name, problem: 'The file is larger than 2 MB. Please split it.' }
  return { name: file.name, ...readCsv(decodeText(new Uint8Array(await file.arrayBuffer()))) }
}
