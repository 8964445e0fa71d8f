import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../../run/files/private-folder.ts'

const CHUNK = 1 << 20

/** Size and hash of the unencrypted file. */
export interface Copied {
  readonly bytes: number
  readonly sha256: string
}

/** Copies a file and syncs the copy to disk. The source may grow or shrink while it is copied. */
export async function copyFile(from: string, to: string): Promise<Copied> {
  await mkdir(dirname(to), { recursive: true, mode: PRIVATE_FOLDER })
  const source = await open(from, 'r')
  try {
    const target = await open(to, 'w', PRIVATE_FILE)
    try {
      const hash = createHash('sha256')
      const { size } = await source.stat()
      const chunk = Buffer.allocUnsafe(Math.min(Math.max(size, 1), CHUNK))
      let bytes = 0
      for (;;) {
        const { bytesRead } = await source.read(chunk, 0, chunk.length, bytes)
        if (bytesRead === 0) break
        const part = chunk.subarray(0, bytesRead)
        hash.update(part)
        await target.write(part)
        bytes += bytesRead
      }
      await target.sync()
      return { bytes, sha256: hash.digest('hex') }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Copies a file and encrypts it for the holder of an age key. */
export async function copyEncrypted(from: string, to: string, recipient: string): Promise<Copied> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const count = counter()
  return copyThrough(from, to, (plain) => encrypter.encrypt(plain.pipeThrough(count.stream)), count)
}

/** @throws Error if the identity belongs to another key, or if the file was changed */
export async function copyDecrypted(from: string, to: string, identity: string): Promise<Copied> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const count = counter()
  return copyThrough(
    from,
    to,
    async (encrypted) => (await decrypter.decrypt(encrypted)).pipeThrough(count.stream),
    count,
  )
}

type Bytes = ReadableStream<Uint8Array>

async function copyThrough(
  from: string,
  to: string,
  through: (source: Bytes) => Promise<Bytes>,
  count: ReturnType<typeof counter>,
): Promise<Copied> {
  await mkdir(dirname(to), { recursive: true, mode: PRIVATE_FOLDER })
  // Node's types for web streams differ from the DOM's types, which the library uses.
  const source = Readable.toWeb(createReadStream(from, { highWaterMark: CHUNK })) as unknown as Bytes
  const target = createWriteStream(to, { mode: PRIVATE_FILE, flush: true })
  await pipeline(Readable.fromWeb((await through(source)) as unknown as NodeStream), target)
  return count.copied()
}

function counter() {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    stream: new TransformStream<Uint8Array, Uint8Array>({
      transform(part, target) {
        hash.update(part)
        bytes += part.length
        target.enqueue(part)
      },
    }),
    copied: (): Copied => ({ bytes, sha256: hash.digest('hex') }),
  }
}
