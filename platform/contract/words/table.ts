import {
  type DelimitedRecord,
  isSeparatorLine,
  namedSeparator,
  readDelimited,
  SEPARATORS,
  unifyLineEnds,
} from './delimited.ts'

export interface Table {
  /** null if no record of the whole text is a header. */
  readonly header: DelimitedRecord | null
  /** All other records, also those before the header. Repeated headers are left out. */
  readonly rows: readonly DelimitedRecord[]
}

interface Kind {
  /** Number of headings that are known; 0 if the cells are not a header. */
  readonly headings: (cells: readonly string[]) => number
  readonly isRow: (cells: readonly string[]) => boolean
  /** Returns false for the cells of several lines that a missing quote has joined. */
  readonly isOneRow?: (cells: readonly string[]) => boolean
}

/**
 * Reads a table with any separator. Finds separator and header by their content in the whole text: the header is the
 * record with the most known headings. Without a header, the separator that gives the most rows is used. A separator
 * that a line `sep=;` names is tried first.
 */
export function readTable(text: string, { headings, isRow, isOneRow = () => true }: Kind): Table {
  const whole = unifyLineEnds(text)
  const named = namedSeparator(whole)
  let best = { score: -1, separator: named ?? SEPARATORS[2], header: null as DelimitedRecord | null }
  for (const separator of named === null ? SEPARATORS : [named, ...SEPARATORS]) {
    const records = recordsOf(whole, separator)
    const header = headerOf(records, headings)
    const known = header === null ? 0 : headings(header.cells)
    // A header outweighs any number of rows.
    const score = known > 0 ? 1e9 + known : records.filter(({ cells }) => isRow(cells)).length
    if (score > best.score) best = { score, separator, header }
  }
  const { separator, header } = best
  const columns = header?.cells.length
  const fits = (cells: readonly string[]) => (columns === undefined || cells.length === columns) && isOneRow(cells)
  const same = header === null ? null : JSON.stringify(header.cells)
  return { header, rows: recordsOf(whole, separator, fits).filter(({ cells }) => JSON.stringify(cells) !== same) }
}

const recordsOf = (text: string, separator: string, fits?: (cells: readonly string[]) => boolean) =>
  readDelimited(text, { separator, textAfterQuote: true, fits }).filter(
    (record) => record.line > 1 || !isSeparatorLine(record.text),
  )

function headerOf(records: readonly DelimitedRecord[], headings: Kind['headings']): DelimitedRecord | null {
  let [best, most]: [DelimitedRecord | null, number] = [null, 0]
  for (const record of records) {
    const known = headings(record.cells)
    if (known > most) [best, most] = [record, known]
  }
  return best
}
