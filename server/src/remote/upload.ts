import { createHash } from 'node:crypto'
import { FILES, nameOfPath } from '@trainyard/contract/words/file.ts'
import type { Actor } from '../core/actor.ts'
import { conflict, Problem } from '../core/errors.ts'
import {
  endTransfer,
  type GrantedTransfer,
  recordTransferProgress,
  partialUploadPath,
} from '../domain/lab/remote/transfer.ts'
import type { Db } from '../db/schema.ts'
import { MachineFileError, type MachineFiles, type OpenFile } from '../providers/machine-files.ts'
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
  readonly #held = new Map<string, OpenUpload>()
  readonly #moves: ActiveTransfers
  readonly #db: Db

  constructor(db: Db, moves: ActiveTransfers) {
    this.#db = db
    this.#moves = moves
  }

  /** @throws Problem conflict, with `done`, if the piece is not the next one */
  async write(of: TransferRequest, piece: Piece, by: { readonly actor: Actor; readonly requestId: string }) {
    const { granted } = of
    const size = granted.size!
    const end = piece.offset + piece.bytes.length
    if (piece.offset !== granted.done) throw elsewhere(granted.done)
    if (end > size || (piece.bytes.length === 0 && size > 0)) throw new Problem('invalid', FILES.offset)
    const hash = sha256(piece.bytes)
    if (piece.sha256 !== null && !piece.sha256.equals(hash)) throw conflict(FILES.chunkDamaged)
    const held = await this.#hold(of)
    try {
      await held.part.write(piece.offset, piece.bytes)
      const digest = sha256(granted.digest ?? Buffer.alloc(0), hash)
      await recordTransferProgress(this.#db, granted, { done: end, digest })
      if (end === size) await this.#finish(held, granted, by)
      else this.#keep(held, granted.id)
      return { done: end, digest: digest.toString('hex'), ended: end === size }
    } catch (error) {
      // Dropping the transfer aborts the signal, so the reason of an earlier end is read first.
      const cause: unknown = held.move.signal.aborted ? held.move.signal.reason : error
      this.#drop(granted.id)
      throw cause
    }
  }

  async #hold(of: TransferRequest): Promise<OpenUpload> {
    const { granted } = of
    const kept = this.#held.get(granted.id)
    if (kept !== undefined && !kept.move.signal.aborted) {
      if (kept.busy) throw conflict(FILES.inOtherTab)
      clearTimeout(kept.closeTimer)
      kept.busy = true
      return kept
    }
    const move = await this.#moves.start(of)
    try {
      const part = await this.#openPart(move.files, granted)
      const held: OpenUpload = { move, part, busy: true, closeTimer: setTimeout(() => {}, 0) }
      this.#held.set(granted.id, held)
      return held
    } catch (error) {
      move.end(FILES.ended)
      throw error
    }
  }

  async #openPart(files: MachineFiles, granted: GrantedTransfer): Promise<OpenFile> {
    if (granted.done === 0) {
      const name = nameOfPath(granted.path)
      const folder = await files.resolvePath(granted.path.slice(0, -name.length) || '.')
      const path = `${folder === '/' ? '' : folder}/${name}`
      const stands = await files.facts(path).catch((error: unknown) => {
        if (error instanceof MachineFileError && error.kind === 'absent') return null
        throw error
      })
      if (stands !== null && stands.kind !== 'file') throw conflict(FILES.noFile(name))
      if (stands !== null && !granted.replaces) throw conflict(FILES.exists(name))
      await recordTransferProgress(this.#db, granted, { path })
      return files.open(partialUploadPath({ ...granted, path }), 'make')
    }
    const part = await files.open(partialUploadPath(granted), 'change').catch(() => null)
    if (part !== null && (await part.facts()).size >= granted.done) return part
    // The partial file was removed or the machine was recreated, so the upload starts again.
    await recordTransferProgress(this.#db, granted, { done: 0, digest: null })
    throw elsewhere(0)
  }

  async #finish({ move, part }: OpenUpload, granted: GrantedTransfer, by: { actor: Actor; requestId: string }) {
    await part.close()
    // If there was only one piece, `granted` does not contain the full path yet.
    const { path } = await this.#db
      .selectFrom('file_transfer')
      .select('path')
      .where('id', '=', granted.id)
      .executeTakeFirstOrThrow()
    await move.files.rename(partialUploadPath({ ...granted, path }), path, granted.replaces).catch((error: unknown) => {
      throw granted.replaces ? error : conflict(FILES.exists(nameOfPath(path)))
    })
    await this.#db.transaction().execute((tx) => endTransfer(tx, granted, { ...by, result: FILES.done }))
    this.#drop(granted.id)
  }

  #keep(held: OpenUpload, id: string): void {
    held.busy = false
    held.closeTimer = setTimeout(() => this.#drop(id), IDLE_TIMEOUT_MS)
  }

  #drop(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined) return
    clearTimeout(held.closeTimer)
    this.#held.delete(id)
    held.move.end(FILES.ended)
  }

  stop(): void {
    for (const id of this.#held.keys()) this.#drop(id)
  }
}

const elsewhere = (done: number) => new Problem('conflict', FILES.offset, null, { done })
