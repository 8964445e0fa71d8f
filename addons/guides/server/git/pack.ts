import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'

/** Limits of a pack that a server sends. Sizes are of unpacked objects, in bytes; commands are those of all deltas. */
const LIMITS = { objects: 10_000, object: 20 * 1024 * 1024, bytes: 60 * 1024 * 1024, commands: 1_000_000 } as const

type GitType = 'commit' | 'tree' | 'blob' | 'tag'

export interface GitObject {
  readonly type: GitType
  readonly content: Buffer
}

/** A pack that is damaged or too large, with a sentence for the author. */
export class BadPack extends Error {
  override readonly name = 'BadPack'
}

// Source: git-scm.com/docs/pack-format.
const TYPES: Readonly<Record<number, GitType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const OFFSET_DELTA = 6
const NAME_DELTA = 7

interface Entry {
  readonly type: number
  /** The object, or the delta. */
  readonly bytes: Buffer
  /** Offset or name of the object to which the delta applies. */
  readonly base: number | string | null
}

const damaged = () => new BadPack('The Git server sent damaged data.')
const tooLarge = () => new BadPack('The repository is too large. Keep guides in a repository of their own.')

/**
 * Returns the objects of a pack by their names. Sizes that the pack states are added up before anything is unpacked, and
 * nothing is unpacked to more than that, so a small pack cannot fill the memory.
 * @throws BadPack
 */
export function readPack(pack: Buffer): ReadonlyMap<string, GitObject> {
  try {
    const entries = entriesOf(pack)
    return resolveAll(entries)
  } catch (error) {
    // Offsets beyond the end of a damaged pack.
    if (error instanceof RangeError) throw damaged()
    throw error
  }
}

/** Adds up the sizes of objects. @throws BadPack beyond the limits */
function meter() {
  let total = 0
  return (size: number): number => {
    total += size
    if (size > LIMITS.object || total > LIMITS.bytes) throw tooLarge()
    return size
  }
}

/** Counts commands of deltas, each of which may produce only one byte. @throws BadPack beyond the limit */
function commandCounter() {
  let commands = 0
  return () => {
    commands += 1
    if (commands > LIMITS.commands) throw tooLarge()
  }
}

function entriesOf(pack: Buffer): ReadonlyMap<number, Entry> {
  if (pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2) throw damaged()
  const count = pack.readUInt32BE(8)
  if (count > LIMITS.objects)
    throw new BadPack(`The repository has more than ${LIMITS.objects} files, folders and commits.`)
  const add = meter()
  const entries = new Map<number, Entry>()
  let at = 12
  for (let index = 0; index < count; index += 1) {
    const start = at
    let byte = pack.readUInt8(at++)
    const type = (byte >> 4) & 7
    let size = byte & 15
    for (let shift = 4; byte >= 128; shift += 7) {
      byte = pack.readUInt8(at++)
      size += (byte & 127) * 2 ** shift
    }
    let base: Entry['base'] = null
    if (type === NAME_DELTA) {
      base = pack.toString('hex', at, at + 20)
      at += 20
    } else if (type === OFFSET_DELTA) {
      byte = pack.readUInt8(at++)
      let distance = byte & 127
      while (byte >= 128) {
        byte = pack.readUInt8(at++)
        distance = (distance + 1) * 128 + (byte & 127)
      }
      base = start - distance
    } else if (TYPES[type] === undefined) throw damaged()
    const { bytes, length } = unpack(pack.subarray(at), add(size))
    entries.set(start, { type, bytes, base })
    at += length
  }
  return entries
}

/** Returns the unpacked bytes, and the number of packed ones. */
function unpack(packed: Buffer, size: number): { bytes: Buffer; length: number } {
  try {
    const { buffer: bytes, engine } = inflateSync(packed, {
      maxOutputLength: Math.max(1, size),
      info: true,
    }) as never as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (bytes.length !== size) throw damaged()
    return { bytes, length: engine.bytesWritten }
  } catch {
    throw damaged()
  }
}

/**
 * Applies each delta once, after its base: a pack may list deltas before their bases, and chains may be long.
 * @throws BadPack also if a base is missing
 */
function resolveAll(entries: ReadonlyMap<number, Entry>): ReadonlyMap<string, GitObject> {
  const add = meter()
  const count = commandCounter()
  const objects = new Map<string, GitObject>()
  const waiting = Map.groupBy(entries, ([, { base }]) => base)
  const ready = (waiting.get(null) ?? []).map(([offset, { type, bytes }]): [number, GitObject] => [
    offset,
    { type: TYPES[type]!, content: bytes },
  ])
  waiting.delete(null)
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    const [offset, object] = next
    const name = nameOf(object)
    objects.set(name, object)
    for (const base of [offset, name]) {
      for (const [at, { bytes }] of waiting.get(base) ?? [])
        ready.push([at, { type: object.type, content: applyDelta(object.content, bytes, add, count) }])
      waiting.delete(base)
    }
  }
  if (waiting.size > 0) throw damaged()
  return objects
}

export const nameOf = ({ type, content }: GitObject): string =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')

function applyDelta(base: Buffer, delta: Buffer, add: (size: number) => number, count: () => void): Buffer {
  let at = 0
  const readSize = () => {
    let size = 0
    for (let shift = 0; ; shift += 7) {
      const byte = delta.readUInt8(at++)
      size += (byte & 127) * 2 ** shift
      if (byte < 128) return size
    }
  }
  if (readSize() !== base.length) throw damaged()
  const result = Buffer.alloc(add(readSize()))
  let to = 0
  while (at < delta.length) {
    count()
    const command = delta.readUInt8(at++)
    let source = delta
    let from = at
    let length = command
    if (command >= 128) {
      const field = (bits: readonly number[]) =>
        bits.reduce(
          (sum, bit, index) => (((command >> bit) & 1) === 1 ? sum + delta.readUInt8(at++) * 256 ** index : sum),
          0,
        )
      source = base
      from = field([0, 1, 2, 3])
      length = field([4, 5, 6]) || 0x10000
    } else at += length
    if (length === 0 || from + length > source.length || to + length > result.length) throw damaged()
    source.copy(result, to, from, from + length)
    to += length
  }
  if (to !== result.length) throw damaged()
  return result
}
