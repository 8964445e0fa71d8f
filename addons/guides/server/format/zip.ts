import { crc32, inflateRawSync } from 'node:zlib'
import { errorAt, UnreadableGuide } from './finding.ts'
import { GUIDE_LIMITS } from './schema.ts'

/** Files by their path in the folder of the guide. */
export type GuideFiles = ReadonlyMap<string, Buffer>

// Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
const END_BYTES = 22
const COMMENT_MAX = 0xffff
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
const UNIX = 3
const FILE_TYPE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000

/** Files that archive programs add. */
const ADDED = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/

interface Entry {
  readonly path: string
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const refuse = (sentence: string, file = 'zip'): never => {
  throw new UnreadableGuide([errorAt(file, '', sentence)])
}

/**
 * Returns the files of a zip archive, without the folder that contains them all. Sizes are checked before anything is
 * unpacked, and each file is unpacked to at most the size that the archive states.
 * @throws UnreadableGuide
 */
export function readZip(archive: Buffer): GuideFiles {
  if (archive.length > GUIDE_LIMITS.bytes) refuse('The archive is larger than 20 MB.')
  const entries = entriesOf(archive)
  if (entries.length > GUIDE_LIMITS.files) refuse(`The archive has more than ${GUIDE_LIMITS.files} files.`)
  if (entries.reduce((sum, { size }) => sum + size, 0) > GUIDE_LIMITS.bytes)
    refuse('The files of the archive are larger than 20 MB.')
  const top = topFolder(entries)
  const files = new Map<string, Buffer>()
  for (const entry of entries) {
    const path = entry.path.slice(top.length)
    if (files.has(path)) refuse('The archive contains this file twice.', path)
    if (entry.size > GUIDE_LIMITS.file) refuse('The file is larger than 5 MB.', path)
    files.set(path, unpack(archive, entry, path))
  }
  return files
}

function entriesOf(archive: Buffer): Entry[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end < archive.length - END_BYTES - COMMENT_MAX || end + END_BYTES > archive.length)
    return refuse('The file is not a zip archive.')
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  if (count === 0xffff || at === 0xffffffff || archive.readUInt16LE(end + 8) !== count)
    refuse('The archive has several parts or needs ZIP64.')
  const entries: Entry[] = []
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_BYTES > end || archive.readUInt32LE(at) !== ENTRY) return refuse('The archive is damaged.')
    const nameBytes = archive.readUInt16LE(at + 28)
    const path = archive.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)
    const type = archive.readUInt16LE(at + 40) & FILE_TYPE
    const isUnix = archive.readUInt8(at + 5) === UNIX
    const flags = archive.readUInt16LE(at + 8)
    const method = archive.readUInt16LE(at + 10)
    if (isUnix && type !== 0 && type !== REGULAR && type !== FOLDER)
      refuse('The archive contains a link or a device. Replace it by a file.', path)
    if ((flags & ENCRYPTED) !== 0) refuse('The archive is encrypted.', path)
    if (method !== STORED && method !== DEFLATED) refuse('The compression of the archive is unknown.', path)
    const entry = {
      path,
      method,
      crc: archive.readUInt32LE(at + 16),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
    }
    if (!path.endsWith('/') && !ADDED.test(path)) entries.push(entry)
    at += ENTRY_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

/** Returns the folder that contains all files, with a slash; empty if there is none. */
function topFolder(entries: readonly Entry[]): string {
  const folder = /^(?!\.\.?\/)[^/]+\//.exec(entries[0]?.path ?? '')?.[0] ?? ''
  return entries.every(({ path }) => path.startsWith(folder)) ? folder : ''
}

function unpack(archive: Buffer, { method, crc, packed, size, offset }: Entry, path: string): Buffer {
  const isHere = offset + LOCAL_BYTES <= archive.length && archive.readUInt32LE(offset) === LOCAL
  if (!isHere) return refuse('The archive is damaged.', path)
  const from = offset + LOCAL_BYTES + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  if (from + packed > archive.length) return refuse('The archive is damaged.', path)
  const bytes = archive.subarray(from, from + packed)
  let content: Buffer
  try {
    content = method === STORED ? Buffer.from(bytes) : inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) })
  } catch {
    return refuse('The file is damaged, or larger than the archive states.', path)
  }
  if (content.length !== size || crc32(content) !== crc)
    return refuse('The file is damaged, or larger than the archive states.', path)
  return content
}
