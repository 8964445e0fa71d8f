import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { COST_LINES, COST_UNPACKED_BYTES } from '../contract/cost-words.ts'
import {
  type DelimitedRecord,
  delimitedReader,
  encodingOf,
  isSeparatorLine,
  namedSeparator,
  readDelimited,
  SEPARATORS,
  unifyLineEnds,
} from '@trainyard/platform/contract/words/delimited.ts'
import { type BillLine, columnName, type Format, formatOf } from './columns.ts'
import { BadLine, lineReader } from './read-line.ts'

/** A file that cannot be imported. The message is shown to the user. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
}

/**
 * A line of the file. `isAside` is true for a title or note above the header, which is skipped without an error.
 */
type ReadLine = { readonly line: number } & (
  | { readonly bill: BillLine }
  | { readonly reason: string; readonly isAside: boolean }
)

export interface FileRead {
  readonly lines: AsyncIterable<ReadLine>
  format(): string
}

/**
 * Reads a file, which may be compressed with gzip. Line numbers count from 1, as in an editor.
 * @param open returns the bytes of the file; called a second time to read the lines above the header
 */
export function readFile(name: string, open: () => AsyncIterable<Buffer>): FileRead {
  let known: string | null = null
  return {
    lines: readLines(name, open, (format) => (known = format)),
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
  open: () => AsyncIterable<Buffer>,
  onFormat: (format: string) => void,
): AsyncIterable<ReadLine> {
  try {
    const header = await findHeader(name, open)
    if (header === null) throw new RefusedFile(unknownFormat(name))
    const { separator, cells, format } = header
    onFormat(format.name)
    const read = lineReader(format, cells.map(columnName))
    const headerText = JSON.stringify(cells)
    let count = 0
    const reader = delimitedReader({ separator, fits: (record) => record.length === cells.length })
    const readOf = (record: DelimitedRecord): ReadLine | null => {
      const { line, problem } = record
      if (line === 1 && isSeparatorLine(record.text)) return null
      // If several exports were joined, the header can be repeated.
      if (JSON.stringify(record.cells) === headerText) return null
      if (problem === null && record.cells.length === cells.length) return readOne(read, record.cells, line)
      if (line < header.line) return { line, reason: 'it is above the header', isAside: true }
      return { line, reason: problem ?? 'it has a different number of fields than the header', isAside: false }
    }
    for await (const text of textsOf(name, open())) {
      for (const record of text === null ? reader.end() : reader.read(text)) {
        const each = readOf(record)
        if (each === null) continue
        if (++count > COST_LINES) throw new RefusedFile(`${name} has more than ${COST_LINES} lines.`)
        yield each
      }
    }
  } catch (error) {
    throw refusalOf(name, error)
  }
}

interface Header {
  readonly line: number
  readonly separator: string
  readonly cells: readonly string[]
  readonly format: Format
}

/** Matches a word that occurs in the columns of every format. Lines without the word are not parsed as headers. */
const IN_EVERY_HEADER = /cost/i
const HEADER_LENGTH = 64 * 1024

/** Finds the header by its columns, with any separator, in any line of the file. */
async function findHeader(name: string, open: () => AsyncIterable<Buffer>): Promise<Header | null> {
  let rest = ''
  let line = 0
  let separators: readonly string[] | null = null
  for await (const text of textsOf(name, open())) {
    rest += text ?? '\n'
    // The line feed after a carriage return may be in the next piece.
    const isCut = rest.endsWith('\r')
    const lines = unifyLineEnds(isCut ? rest.slice(0, -1) : rest).split('\n')
    rest = `${lines.pop()!.slice(0, HEADER_LENGTH)}${isCut ? '\r' : ''}`
    for (const each of lines) {
      if (++line > COST_LINES) return null
      const named: string | null = separators === null ? namedSeparator(each) : null
      separators ??= named === null ? SEPARATORS : [named, ...SEPARATORS]
      if (!IN_EVERY_HEADER.test(each)) continue
      for (const separator of separators) {
        const cells = readDelimited(each, { separator })[0]?.cells ?? []
        const format = formatOf(cells.map(columnName))
        if (format !== null) return { line, separator, cells, format }
      }
    }
  }
  return null
}

/**
 * Decodes a file piece by piece. Null marks the end of the file.
 * @throws RefusedFile for bytes of another encoding, because names and tags assign the costs
 */
async function* textsOf(name: string, bytes: AsyncIterable<Buffer>): AsyncIterable<string | null> {
  let decoder: TextDecoder | null = null
  // A fatal decoder does not return the text before a bad byte, nor the start of a character cut between two pieces.
  let lenient: TextDecoder | null = null
  let line = 1
  let endsWithReturn = false
  const countLines = (text: string): void => {
    line += text.match(/\r\n?|\n/g)?.length ?? 0
    if (endsWithReturn && text.startsWith('\n')) line -= 1
    if (text !== '') endsWithReturn = text.endsWith('\r')
  }
  const decode = (chunk?: Buffer): string => {
    const stream = chunk !== undefined
    const readable = lenient?.decode(chunk, { stream }) ?? ''
    try {
      const text = decoder?.decode(chunk, { stream }) ?? ''
      countLines(text)
      return text
    } catch {
      countLines(readable.split('\uFFFD')[0]!)
      throw new RefusedFile(`${name} is not ${decoder!.encoding.toUpperCase()} in line ${line}. Save it as UTF-8.`)
    }
  }
  for await (const chunk of decompressed(name, bytes)) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true })
    lenient ??= new TextDecoder(decoder.encoding)
    yield decode(chunk)
  }
  yield decode()
  yield null
}

function readOne(read: ReturnType<typeof lineReader>, record: readonly string[], line: number): ReadLine {
  try {
    return { line, bill: read(record) }
  } catch (error) {
    if (error instanceof BadLine) return { line, reason: error.message, isAside: false }
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
  const code = (error as { readonly code?: unknown } | null)?.code
  if (typeof code === 'string' && code.startsWith('Z_')) {
    return new RefusedFile(`${name} is a damaged or incomplete gzip file. Upload it again.`)
  }
  return error
}
