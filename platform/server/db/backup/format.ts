import { createHash, type Hash } from 'node:crypto'
import { pipeline, Readable, type Transform } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { valid } from 'semver'
import { NoBackup } from './no-backup.ts'

/** First line of the file, which is never encrypted. */
export interface Header {
  readonly format: number
  /** Version of the program that made the backup. */
  readonly version: string
  /** Identifies the portal; null: it has never made automatic backups. */
  readonly portal: string | null
  /** The backup contains every change that was acknowledged before this time. */
  readonly until: string
  /** IDs of the installation's keys, which decrypt the stored secrets. */
  readonly keys: readonly string[]
  /** age recipient for which the rest of the file is encrypted; null: it is not encrypted. */
  readonly encryptedFor: string | null
  /** Digest of each file that made the tables. */
  readonly tables: Readonly<Record<string, string>>
}

export interface TableHead {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
}

/** Last values of the sequences, by quoted name, and number of all rows. */
interface Ending {
  readonly sequences: Readonly<Record<string, string>>
  readonly rows: number
}

/** Part of the file. The data of a table follows its head, in the text format of COPY. */
export type Part =
  | { readonly kind: 'table'; readonly table: TableHead }
  | { readonly kind: 'data'; readonly data: Buffer }
  | { readonly kind: 'end'; readonly end: Ending }

/** Version of this format. */
export const FORMAT = 1

const MAGIC = 'Trainyard backup '
const MAX_HEADER_BYTES = 1 << 20
/** Maximum bytes of a part, so that a damaged length does not exhaust the memory. */
const MAX_PART_BYTES = 1 << 30

type Kind = 'header' | Part['kind'] | 'digest'
const KINDS: readonly Kind[] = ['header', 'table', 'data', 'end', 'digest']

/**
 * Returns the bytes of a backup: the header as a line, then the parts, compressed and encrypted for the recipients.
 * The parts begin with the hash of the header and end with the hash of all parts.
 */
export async function* encode(
  header: Header,
  parts: AsyncIterable<Part>,
  recipients: readonly string[],
): AsyncGenerator<Buffer> {
  const line = Buffer.from(`${MAGIC}${JSON.stringify(header)}\n`)
  yield line
  const compressed = through(Readable.from(framesOf(line, parts)), createGzip({ level: 5 }))
  yield* recipients.length === 0 ? compressed : encrypted(compressed, recipients)
}

async function* framesOf(line: Buffer, parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  yield* frame(hash, 'header', sha256(line))
  for await (const part of parts) {
    const { kind } = part
    if (kind === 'data') yield* frame(hash, kind, part.data)
    else yield* frame(hash, kind, Buffer.from(JSON.stringify(kind === 'table' ? part.table : part.end)))
  }
  yield* frame(null, 'digest', hash.digest())
}

function* frame(hash: Hash | null, kind: Kind, payload: Buffer): Generator<Buffer> {
  const head = Buffer.alloc(5)
  head.writeUInt8(KINDS.indexOf(kind))
  head.writeUInt32BE(payload.length, 1)
  hash?.update(head).update(payload)
  yield head
  yield payload
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

export interface Opened {
  readonly header: Header
  /** Yields the parts, and throws NoBackup at the first one that differs from what was written. */
  parts(identity: string | null): AsyncGenerator<Part>
}

/**
 * Reads the header of a backup.
 * @param name of the backup, for the messages
 * @throws NoBackup if the bytes do not begin with a header
 */
export async function decode(name: string, source: AsyncIterable<Buffer>): Promise<Opened> {
  const bytes = new ByteReader(source)
  const line = await bytes.line(MAX_HEADER_BYTES)
  if (!line?.toString('latin1').startsWith(MAGIC)) throw new NoBackup(`${name} is not a backup of this program.`)
  const header = headerIn(name, line)
  return {
    header,
    async *parts(identity) {
      try {
        const rest = Readable.from(bytes.rest())
        const isPlain = header.encryptedFor === null || identity === null
        const compressed = isPlain ? rest : await decrypted(name, header, rest, identity)
        yield* partsIn(name, line, through(compressed, createGunzip()))
      } catch (error) {
        throw error instanceof NoBackup ? error : damaged(name, error)
      }
    },
  }
}

function headerIn(name: string, line: Buffer): Header {
  try {
    const header = JSON.parse(line.subarray(MAGIC.length).toString()) as Partial<Header>
    if (valid(header.version) === null || !Array.isArray(header.keys) || typeof header.tables !== 'object')
      throw new Error('The first line lacks fields.')
    return header as Header
  } catch (error) {
    throw damaged(name, error)
  }
}

const damaged = (name: string, cause?: unknown): NoBackup =>
  new NoBackup(`${name} is truncated or damaged: it differs from what was written.`, { cause })

/** Like `pipe`, but an error or the end of one stream also ends the other. The reader of the result gets the error. */
const through = (source: Readable, target: Transform): Readable => pipeline(source, target, () => undefined)

async function* partsIn(name: string, line: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  const bytes = new ByteReader(source)
  const hash = createHash('sha256')
  let rows = 0
  for (let place = 0; ; place += 1) {
    const head = await bytes.take(5)
    const kind = KINDS[head?.readUInt8() ?? -1]
    const length = head?.readUInt32BE(1) ?? 0
    const payload = length > MAX_PART_BYTES ? null : await bytes.take(length)
    if (head === null || payload === null || kind === undefined || (kind === 'header') !== (place === 0)) {
      throw damaged(name)
    }
    if (kind === 'digest') {
      if (!hash.digest().equals(payload) || (await bytes.take(1)) !== null) throw damaged(name)
      return
    }
    hash.update(head).update(payload)
    if (kind === 'header') {
      if (!sha256(line).equals(payload)) throw damaged(name)
    } else if (kind === 'data') {
      rows += rowsIn(payload)
      yield { kind, data: payload }
    } else if (kind === 'table') {
      yield { kind, table: JSON.parse(payload.toString()) as TableHead }
    } else {
      const end = JSON.parse(payload.toString()) as Ending
      if (end.rows !== rows) throw damaged(name)
      yield { kind, end }
    }
  }
}

/** Returns the number of rows. The text format of COPY writes newlines inside of values as `\n`. */
export function rowsIn(data: Buffer): number {
  let rows = 0
  for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, at + 1)) rows += 1
  return rows
}

type Bytes = ReadableStream<Uint8Array>

// Node's types for web streams differ from the DOM's types, which the library uses.
const toWeb = (source: Readable): Bytes => Readable.toWeb(source) as unknown as Bytes
const fromWeb = (source: Bytes): Readable => Readable.fromWeb(source as unknown as NodeStream)

async function* encrypted(source: Readable, recipients: readonly string[]): AsyncGenerator<Buffer> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  yield* fromWeb(await encrypter.encrypt(toWeb(source)))
}

async function decrypted(name: string, { encryptedFor }: Header, source: Readable, identity: string) {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  try {
    decrypter.addIdentity(identity)
  } catch (error) {
    throw new NoBackup('The key is not a valid age key. Compare it with your copy.', { cause: error })
  }
  try {
    return fromWeb(await decrypter.decrypt(toWeb(source)))
  } catch (error) {
    if (!(error as Error).message.startsWith('no identity matched')) throw error
    throw new NoBackup(`The key does not decrypt ${name}, which is encrypted for ${encryptedFor}.`, { cause: error })
  }
}

/** Reads a stream in pieces of given lengths. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #buffered: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns null if the stream ends before. */
  async take(length: number): Promise<Buffer | null> {
    const pieces = [this.#buffered]
    let have = this.#buffered.length
    while (have < length) {
      const piece = await this.#next()
      if (piece === null) return null
      pieces.push(piece)
      have += piece.length
    }
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    this.#buffered = all.subarray(length)
    return all.subarray(0, length)
  }

  /** Returns the bytes up to the next newline, which is included; null if there is none. */
  async line(max: number): Promise<Buffer | null> {
    let end = this.#buffered.indexOf(10)
    while (end === -1) {
      const piece = this.#buffered.length > max ? null : await this.#next()
      if (piece === null) return null
      this.#buffered = Buffer.concat([this.#buffered, piece])
      end = this.#buffered.indexOf(10)
    }
    return this.take(end + 1)
  }

  async *rest(): AsyncGenerator<Buffer> {
    for (let piece: Buffer | null = this.#buffered; piece !== null; piece = await this.#next()) yield piece
  }

  async #next(): Promise<Buffer | null> {
    const { done, value } = await this.#source.next()
    return done === true ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
}
