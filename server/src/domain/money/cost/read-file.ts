import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import { COST_LINES, COST_UNPACKED_BYTES } from '@trainyard/contract/words/cost.ts'
import { type BillLine, columnName, formatOf } from './columns.ts'
import { BadLine, lineReader } from './read-line.ts'

/** A file that can't be imported at all, with the sentence why. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
}

/** A line of a file: what it says, or why it can't be read. */
export type ReadLine = { readonly line: number } & ({ readonly bill: BillLine } | { readonly reason: string })

export interface FileRead {
  readonly lines: AsyncIterable<ReadLine>
  /** The kind of export; known with the first line. */
  format(): string
}

interface Record {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** Bytes that one line may have: a quote that is never closed would take the rest of the file for one. */
const LINE_BYTES = 256 * 1024

/**
 * Reads a cost export as it comes, packed with gzip or not: no more of it is held than the line at hand. Line numbers are
 * those that an editor shows; the header is line 1.
 */
export function readFile(name: string, bytes: AsyncIterable<Buffer>): FileRead {
  let known: string | null = null
  return {
    lines: linesOf(name, bytes, (format) => (known = format)),
    format: () => known ?? '',
  }
}

/** Returns the sha256 of what a file holds, unpacked: the same whether it was packed or not. */
export async function digestOf(name: string, bytes: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of unpacked(name, bytes)) hash.update(chunk)
  } catch (error) {
    throw refusalOf(name, error)
  }
  return hash.digest('hex')
}

async function* linesOf(
  name: string,
  bytes: AsyncIterable<Buffer>,
  isOf: (format: string) => void,
): AsyncIterable<ReadLine> {
  const skipped: ReadLine[] = []
  let endless: CsvError | undefined
  const parser = parse({
    bom: true,
    info: true,
    max_record_size: LINE_BYTES,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip(error) {
      if (error === undefined) return
      // More than a line is skipped with it, and nobody knows how many.
      if (ENDLESS.has(error.code)) endless ??= error
      skipped.push({ line: lineIn(error), reason: reasonOf(error) })
    },
  })
  let read: ReturnType<typeof lineReader> | null = null
  let count = 0
  // Whoever reads the parser is told of a failure by it.
  const records: AsyncIterable<Record> = pipeline(Readable.from(unpacked(name, bytes)), parser, () => {})
  try {
    for await (const { record, info } of records) {
      if (endless !== undefined) throw endless
      yield* skipped.splice(0)
      if (read === null) {
        const columns = record.map(columnName)
        const format = formatOf(columns)
        if (format === null) throw new RefusedFile(unknownFormat(name))
        isOf(format.name)
        read = lineReader(format, columns)
        continue
      }
      if (++count > COST_LINES) throw new RefusedFile(`${name} has more than ${COST_LINES} lines.`)
      yield readOne(read, record, info.lines)
    }
    if (endless !== undefined) throw endless
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

/** The content of a file, which may be packed with gzip. */
async function* unpacked(name: string, bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const parts = bytes[Symbol.asyncIterator]()
  const first = await parts.next()
  const head = first.done === true ? Buffer.alloc(0) : first.value
  if (head.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) {
    throw new RefusedFile(`${name} is a ZIP archive. Unpack it, and import the CSV files in it.`)
  }
  if (head.subarray(0, 4).equals(Buffer.from('PAR1'))) {
    throw new RefusedFile(`${name} is a Parquet file. Have the export written as CSV.`)
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
    if (size > COST_UNPACKED_BYTES) throw new RefusedFile(`${name} holds more than 1 GB when it is unpacked.`)
    yield chunk
  }
}

const unknownFormat = (name: string): string =>
  `${name} is no cost export that can be read: its first line must name the columns of an Azure export (EA, MCA, actual cost), of FOCUS, or of AWS’s Cost and Usage Report, in CSV.`

function refusalOf(name: string, error: unknown): unknown {
  if (error instanceof CsvError) return new RefusedFile(`Line ${lineIn(error)} of ${name}: ${reasonOf(error)}.`)
  const code = (error as { readonly code?: unknown } | null)?.code
  if (typeof code === 'string' && code.startsWith('Z_')) {
    return new RefusedFile(`${name} is packed with gzip, and damaged or not whole. Send it again.`)
  }
  return error
}

const lineIn = (error: CsvError): number => Number(error['lines'] ?? 0)

const ENDLESS: ReadonlySet<string> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

function reasonOf({ code, message }: CsvError): string {
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return 'it has more or fewer fields than the first line names'
    case 'CSV_QUOTE_NOT_CLOSED':
    case 'CSV_MAX_RECORD_SIZE':
      return 'a quote that begins there is never closed'
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return 'a quote stands where none may be'
    default:
      return message
  }
}
