import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A larger file is stored in an unnamed file on the host's disk. */
const IN_MEMORY = 64 * 1024
const MAX_TEXT = 1024 * 1024

/** Bytes of a file. The space is released when nothing refers to the object, like an unlinked file on Linux. */
export class Content {
  #memory = Buffer.alloc(0)
  #spool: number | null = null
  size = 0

  get memoryBytes(): number {
    return this.#spool === null ? this.size : 0
  }

  read(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - at)))
    if (this.#spool === null) this.#memory.copy(bytes, 0, at, at + bytes.length)
    else readSync(this.#spool, bytes, 0, bytes.length, at)
    return bytes
  }

  write(at: number, bytes: Buffer): void {
    const end = Math.max(this.size, at + bytes.length)
    if (this.#spool === null && end > IN_MEMORY && end > this.size) this.#toDisk()
    if (this.#spool !== null) writeSync(this.#spool, bytes, 0, bytes.length, at)
    else {
      if (end > this.#memory.length) this.#memory = Buffer.concat([this.#memory], end)
      bytes.copy(this.#memory, at)
    }
    this.size = end
  }

  truncate(size: number): void {
    if (this.#spool !== null) ftruncateSync(this.#spool, size)
    else this.#memory = Buffer.concat([this.#memory.subarray(0, this.size)], size)
    this.size = size
  }

  text(): string {
    return this.read(0, MAX_TEXT).toString('utf8')
  }

  #toDisk(): void {
    const folder = mkdtempSync(join(tmpdir(), 'trainyard-emulated-'))
    const spool = openSync(join(folder, 'content'), 'w+', 0o600)
    // The file is unlinked while open, so the system deletes it when this process ends, even after a crash.
    rmSync(folder, { recursive: true })
    writeSync(spool, this.#memory, 0, this.size, 0)
    this.#spool = spool
    this.#memory = Buffer.alloc(0)
    spools.register(this, spool)
  }
}

const spools = new FinalizationRegistry<number>((spool) => closeSync(spool))

export function contentOf(text: string): Content {
  const content = new Content()
  content.write(0, Buffer.from(text))
  return content
}
