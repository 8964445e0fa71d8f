import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import { COST_LINES, COST_UNPACKED_BYTES } from '@trainyard/contract/words/cost.ts'
import { type BillLine, columnName, formatOf } from './columns.ts'
import { BadLine, lineReader } from './read-line.ts'

/** The message is shown to the user. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
}

type ReadLine = { readonly line: number } & ({ readonly bill: BillLine } | { readonly reason: string })

export interface FileRead {
  readonly lines: AsyncIterable<ReadLine>
  format(): string
}

interface Record {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** Limits a quote that is never closed, which would otherwise consume the rest of the file. */
const LINE_BYTES = 256 * 1024

/** Compressed with gzip or not. Line numbers count from 1, the header, as in an editor. */
export function readFile(name: string, bytes: AsyncIterable<Buffer>): FileRead {
  let known: string | null = null
  return {
    lines: readLines(name, bytes, (format) => (known = format)),
    format: () => known ?? '',
  }
}

export async function digestOf(name: string, bytes: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of decompressed(name, bytes)) hash.update(chunk)
  } catch (error) {
    throw refusalOf(name, error)
  }
  return hash.digest('hex')
}

async function* readLines(
  name: string,
  bytes: AsyncIterable<Buffer>,
  onFormat: (format: string) => void,
): AsyncIterable<ReadLine> {
  const skipped: ReadLine[] = []
  let unclosed: CsvError | undefined
  const parser = parse({
    bom: true,
    info: true,
    max_record_size: LINE_BYTES,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip(error) {
      if (error === undefined) return
      // An unknown number of further lines is skipped with this one.
      if (UNCLOSED_QUOTE.has(error.code)) unclosed ??= error
      skipped.push({ line: lineIn(error), reason: reasonOf(error) })
    },
  })
  let read: ReturnType<typeof lineReader> | null = null
  let count = 0
  // The consumer receives errors through the parser, so the callback ignores them.
  const records: AsyncIterable<Record> = pipeline(Readable.from(decompressed(name, bytes)), parser, () => {})
  try {
    for await (const { record, info } of records) {
      if (unclosed !== undefined) throw unclosed
      yield* skipped.splice(0)
      if (read === null) {
        const columns = record.map(columnName)
        const format = formatOf(columns)
        if (format === null) throw new RefusedFile(unknownFormat(name))
        onFormat(format.name)
        read = lineReader(format, columns)
        continue
      }
      if (++count > COST_LINES) throw new RefusedFile(`${name} has more than ${COST_LINES} lines.`)
      yield readOne(read, record, info.lines)
    }
    if (unclosed !== undefined) throw unclosed
  } catch (error) {
    throw refusalOf(name, error)
  }
  yield* skipped
  if (read === null) throw new RefusedFile(unknownFormat(name))
}

function readOne(read: ReturnType<typeof lineReader>, record: readonly string[], line: number): ReadLine {
  try {
    return { line, bill: read(record) }
  } catch (error) {
    if (error instanceof BadLine) return { line, reason: error.message }
    throw error
  }
}

async function* decompressed(name: string, bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const parts = bytes[Symbol.asyncIterator]()
  const first = await parts.next()
  const head = first.done === true ? Buffer.alloc(0) : first.value
  if (head.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) {
    throw new RefusedFile(`${name} is a ZIP archive. Extract it and import the CSV files.`)
  }
  if (head.subarray(0, 4).equals(Buffer.from('PAR1'))) {
    throw new RefusedFile(`${name} is a Parquet file. Configure the export to write CSV.`)
  }
  const all = async function* () {
    yield head
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) yield next.value
  }
  const isPacked = head[0] === 0x1f && head[1] === 0x8b
  const content: AsyncIterable<Buffer> = isPacked ? pipeline(Readable.from(all()), createGunzip(), () => {}) : all()
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > COST_UNPACKED_BYTES) throw new RefusedFile(`${name} is larger than 1 GB when decompressed.`)
    yield chunk
  }
}

const unknownFormat = (name: string): string =>
  `${name} is not a supported cost export. It must be a CSV file with the header of an Azure export (EA, MCA, actual cost), FOCUS, or AWS’s Cost and Usage Report.`

function refusalOf(name: string, error: unknown): unknown {
  if (error instanceof CsvError) return new RefusedFile(`Line ${lineIn(error)} of ${name}: ${reasonOf(error)}.`)
  const code = (error as { readonly code?: unknown } | null)?.code
  if (typeof code === 'string' && code.startsWith('Z_')) {
    return new RefusedFile(`${name} is a damaged or incomplete gzip file. Upload it again.`)
  }
  return error
}

const lineIn = (error: CsvError): number => Number(error['lines'] ?? 0)

const UNCLOSED_QUOTE: ReadonlySet<string> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

function reasonOf({ code, message }: CsvError): string {
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return 'it has a different number of fields than the header'
    case 'CSV_QUOTE_NOT_CLOSED':
    case 'CSV_MAX_RECORD_SIZE':
      return 'a quoted field that starts there is never closed'
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return 'it has a quote in an invalid position'
    default:
      return message
  }
}
