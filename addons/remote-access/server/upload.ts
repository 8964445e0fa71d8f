import { createHash } from 'node:crypto'
import { FILE_MESSAGES, nameOfPath } from '@trainyard/platform/contract/words/file.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { endTransfer, type GrantedTransfer, recordTransferProgress, partialUploadPath } from './transfer.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { MachineFileError, type FileConnection, type OpenFile } from './machine-files.ts'
import type { ActiveTransfer, TransferRequest, ActiveTransfers } from './active-transfers.ts'

const IDLE_TIMEOUT_MS = 15_000

interface OpenUpload {
  readonly move: ActiveTransfer
  readonly part: OpenFile
  busy: boolean
  closeTimer: NodeJS.Timeout
}

export interface Piece {
  readonly offset: number
  readonly bytes: Buffer
  /** SHA-256 that the page computed; null if the page cannot compute a hash. */
  readonly sha256: Buffer | null
}

const sha256 = (...parts: Buffer[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export class Uploads {
  readonly #uploads = new Map<string, OpenUpload>()
  readonly #moves: ActiveTransfers
  readonly #db: Db

  constructor(db: Db, moves: ActiveTransfers) {
    this.#db = db
    this.#moves = moves
  }

  /** @throws Problem conflict, with `done`, if the piece is not the next one */
  async write(transfer: TransferRequest, piece: Piece, by: { readonly actor: Actor; readonly requestId: string }) {
    const { granted } = transfer
    const size = granted.size!
    const end = piece.offset + piece.bytes.length
    if (piece.offset !== granted.done) throw wrongOffset(granted.done)
    if (end > size || (piece.bytes.length === 0 && size > 0)) throw new Problem('invalid', FILE_MESSAGES.offset)
    const hash = sha256(piece.bytes)
    if (piece.sha256 !== null && !piece.sha256.equals(hash)) throw conflict(FILE_MESSAGES.chunkDamaged)
    const upload = await this.#openUpload(transfer)
    try {
      await upload.part.write(piece.offset, piece.bytes)
      const digest = sha256(granted.digest ?? Buffer.alloc(0), hash)
      await recordTransferProgress(this.#db, granted, { done: end, digest })
      if (end === size) await this.#finish(upload, granted, by)
      else this.#release(upload, granted.id)
      return { done: end, digest: digest.toString('hex'), ended: end === size }
    } catch (error) {
      // Dropping the transfer aborts the signal, so the reason of an earlier end is read first.
      const cause: unknown = upload.move.signal.aborted ? upload.move.signal.reason : error
      this.#drop(granted.id)
      throw cause
    }
  }

  async #openUpload(transfer: TransferRequest): Promise<OpenUpload> {
    const { granted } = transfer
    const existing = this.#uploads.get(granted.id)
    if (existing !== undefined && !existing.move.signal.aborted) {
      if (existing.busy) throw conflict(FILE_MESSAGES.inOtherTab)
      clearTimeout(existing.closeTimer)
      existing.busy = true
      return existing
    }
    const activeTransfer = await this.#moves.start(transfer)
    try {
      const part = await this.#openPart(activeTransfer.connection, granted)
      const upload: OpenUpload = { move: activeTransfer, part, busy: true, closeTimer: setTimeout(() => {}, 0) }
      this.#uploads.set(granted.id, upload)
      return upload
    } catch (error) {
      activeTransfer.end(FILE_MESSAGES.ended)
      throw error
    }
  }

  async #openPart(connection: FileConnection, granted: GrantedTransfer): Promise<OpenFile> {
    if (granted.done === 0) {
      const name = nameOfPath(granted.path)
      const folder = await connection.resolvePath(granted.path.slice(0, -name.length) || '.')
      const path = `${folder === '/' ? '' : folder}/${name}`
      const existingFile = await connection.facts(path).catch((error: unknown) => {
        if (error instanceof MachineFileError && error.kind === 'absent') return null
        throw error
      })
      if (existingFile !== null && existingFile.kind !== 'file') throw conflict(FILE_MESSAGES.noFile(name))
      if (existingFile !== null && !granted.replaces) throw conflict(FILE_MESSAGES.exists(name))
      await recordTransferProgress(this.#db, granted, { path })
      return connection.open(partialUploadPath({ ...granted, path }), 'make')
    }
    const part = await connection.open(partialUploadPath(granted), 'change').catch(() => null)
    if (part !== null && (await part.facts()).size >= granted.done) return part
    // The partial file was removed or the machine was recreated, so the upload starts again.
    await recordTransferProgress(this.#db, granted, { done: 0, digest: null })
    throw wrongOffset(0)
  }

  async #finish({ move, part }: OpenUpload, granted: GrantedTransfer, by: { actor: Actor; requestId: string }) {
    await part.close()
    // If there was only one piece, `granted` does not contain the full path yet.
    const { path } = await this.#db
      .selectFrom('file_transfer')
      .select('path')
      .where('id', '=', granted.id)
      .executeTakeFirstOrThrow()
    await move.connection
      .rename(partialUploadPath({ ...granted, path }), path, granted.replaces)
      .catch((error: unknown) => {
        throw granted.replaces ? error : conflict(FILE_MESSAGES.exists(nameOfPath(path)))
      })
    await this.#db.transaction().execute((tx) => endTransfer(tx, granted, { ...by, result: FILE_MESSAGES.done }))
    this.#drop(granted.id)
  }

  #release(upload: OpenUpload, id: string): void {
    upload.busy = false
    upload.closeTimer = setTimeout(() => this.#drop(id), IDLE_TIMEOUT_MS)
  }

  #drop(id: string): void {
    const upload = this.#uploads.get(id)
    if (upload === undefined) return
    clearTimeout(upload.closeTimer)
    this.#uploads.delete(id)
    upload.move.end(FILE_MESSAGES.ended)
  }

  stop(): void {
    for (const id of this.#uploads.keys()) this.#drop(id)
  }
}

const wrongOffset = (done: number) => new Problem('conflict', FILE_MESSAGES.offset, null, { done })
