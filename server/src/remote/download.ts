import { FILE_BYTES_MAX, FILES } from '@trainyard/contract/words/file.ts'
import { conflict } from '../core/errors.ts'
import { noteMoved } from '../domain/lab/remote/transfer.ts'
import type { Db } from '../db/schema.ts'
import type { OpenFile } from '../providers/machine-files.ts'
import type { Move, MoveOf } from './moves.ts'

/** So many bytes are asked for at once, in so many requests: the most that a download holds in memory. */
const AT_ONCE = 32 * 1024
const REQUESTS = 16
/** A browser that takes nothing for this long is gone. */
const STALLED_MS = 60_000
const NOTED_MS = 1_000

export interface Opened {
  readonly file: OpenFile
  readonly path: string
  readonly size: number
  /** Changes with the file: a part of another one is never put behind what came before. */
  readonly tag: string
}

/** Opens the file of a download. A pipe or device is never opened: it would wait, or never end. */
export async function openDownload(db: Db, { granted }: MoveOf, { files }: Move): Promise<Opened> {
  const path = await files.whole(granted.path)
  const before = await files.facts(path)
  if (before.kind !== 'file') throw conflict(FILES.noFile(granted.path))
  const file = await files.open(path, 'read')
  const { kind, size, changedAt } = await file.facts()
  if (kind !== 'file') throw conflict(FILES.noFile(granted.path))
  if (size > FILE_BYTES_MAX) throw conflict(FILES.tooLarge)
  // Another size than before is another file: what was counted of that one counts no more.
  await noteMoved(db, granted, granted.size === size ? { path } : { path, size, done: 0 })
  return { file, path, size, tag: `"${granted.id}-${changedAt.getTime()}-${size}"` }
}

/** Reads a file from a byte to another, a few requests ahead and no further: only as fast as it is taken. */
export async function* readDownload(
  db: Db,
  { granted }: MoveOf,
  move: Move,
  { file, from, to }: Pick<Opened, 'file'> & { readonly from: number; readonly to: number },
): AsyncGenerator<Buffer> {
  const ahead: Promise<Buffer>[] = []
  let asked = from
  let sent = from
  let notedAt = performance.now()
  const stalled = setTimeout(() => move.end(FILES.stalled), STALLED_MS)
  try {
    while (sent < to) {
      while (ahead.length < REQUESTS && asked < to) {
        const length = Math.min(AT_ONCE, to - asked)
        const part = readWhole(file, asked, length)
        part.catch(() => {})
        ahead.push(part)
        asked += length
      }
      const part = await ahead.shift()!
      move.signal.throwIfAborted()
      sent += part.length
      stalled.refresh()
      yield part
      if (performance.now() - notedAt > NOTED_MS) {
        notedAt = performance.now()
        await noteMoved(db, granted, { done: sent })
      }
    }
  } finally {
    clearTimeout(stalled)
    await noteMoved(db, granted, { done: sent })
  }
}

/** A server may answer less than was asked for. */
async function readWhole(file: OpenFile, at: number, length: number): Promise<Buffer> {
  const first = await file.read(at, length)
  if (first.length === length) return first
  const parts = [first]
  for (let read = first.length; read < length;) {
    const next = await file.read(at + read, length - read)
    if (next.length === 0) throw conflict(FILES.shrank)
    parts.push(next)
    read += next.length
  }
  return Buffer.concat(parts)
}
