import { FILE_BYTES_MAX, FILE_MESSAGES } from '@trainyard/platform/contract/words/file.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { recordTransferProgress } from './transfer.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { OpenFile } from './machine-files.ts'
import type { ActiveTransfer, TransferRequest } from './active-transfers.ts'

/** Bytes per read request and number of concurrent requests. Their product is the memory limit of a download. */
const REQUEST_BYTES = 32 * 1024
const MAX_REQUESTS = 16
/** Time without progress after which the browser counts as disconnected, in milliseconds. */
const STALL_TIMEOUT_MS = 60_000
const PROGRESS_INTERVAL_MS = 1_000

export interface OpenDownload {
  readonly file: OpenFile
  readonly path: string
  readonly size: number
  /** ETag that changes with the file, so that ranges of different versions are never combined. */
  readonly tag: string
}

/** Opens the file of a download. Refuses pipes and devices, which could block or never end. */
export async function openDownload(
  db: Db,
  { granted }: TransferRequest,
  { connection }: ActiveTransfer,
): Promise<OpenDownload> {
  const path = await connection.resolvePath(granted.path)
  const before = await connection.facts(path)
  if (before.kind !== 'file') throw conflict(FILE_MESSAGES.noFile(granted.path))
  const file = await connection.open(path, 'read')
  const { kind, size, changedAt } = await file.facts()
  if (kind !== 'file') throw conflict(FILE_MESSAGES.noFile(granted.path))
  if (size > FILE_BYTES_MAX) throw conflict(FILE_MESSAGES.tooLarge)
  // A different size means a different file, so the progress starts at zero again.
  await recordTransferProgress(db, granted, granted.size === size ? { path } : { path, size, done: 0 })
  return { file, path, size, tag: `"${granted.id}-${changedAt.getTime()}-${size}"` }
}

export async function* readDownload(
  db: Db,
  { granted }: TransferRequest,
  activeTransfer: ActiveTransfer,
  { file, from, to }: Pick<OpenDownload, 'file'> & { readonly from: number; readonly to: number },
): AsyncGenerator<Buffer> {
  const ahead: Promise<Buffer>[] = []
  let requestedBytes = from
  let sent = from
  let notedAt = performance.now()
  const stalled = setTimeout(() => activeTransfer.end(FILE_MESSAGES.stalled), STALL_TIMEOUT_MS)
  try {
    while (sent < to) {
      while (ahead.length < MAX_REQUESTS && requestedBytes < to) {
        const length = Math.min(REQUEST_BYTES, to - requestedBytes)
        const part = readWhole(file, requestedBytes, length)
        part.catch(() => {})
        ahead.push(part)
        requestedBytes += length
      }
      const part = await ahead.shift()!
      activeTransfer.signal.throwIfAborted()
      sent += part.length
      stalled.refresh()
      yield part
      if (performance.now() - notedAt > PROGRESS_INTERVAL_MS) {
        notedAt = performance.now()
        await recordTransferProgress(db, granted, { done: sent })
      }
    }
  } finally {
    clearTimeout(stalled)
    await recordTransferProgress(db, granted, { done: sent })
  }
}

/** Reads exactly `length` bytes. A server may return less than requested. */
async function readWhole(file: OpenFile, at: number, length: number): Promise<Buffer> {
  const first = await file.read(at, length)
  if (first.length === length) return first
  const parts = [first]
  for (let read = first.length; read < length;) {
    const next = await file.read(at + read, length - read)
    if (next.length === 0) throw conflict(FILE_MESSAGES.becameShorter)
    parts.push(next)
    read += next.length
  }
  return Buffer.concat(parts)
}
