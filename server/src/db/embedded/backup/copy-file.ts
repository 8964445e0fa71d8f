import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../../files/private-folder.ts'

const CHUNK = 1 << 20

/** Syncs to disk. The source may grow or shrink in the meantime. */
export async function copyFile(from: string, to: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
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
