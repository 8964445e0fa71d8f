import { COST_FILES_BYTES } from '../contract/cost-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { base64Of } from '@trainyard/platform/web/ui/base64.ts'

/** @param onProgress receives the uploaded fraction, 0 to 1 */
export async function sendBill(
  files: readonly File[],
  leaveOutBad: boolean,
  onProgress: (part: number) => void,
): Promise<void> {
  const packed = await Promise.all(
    files.map(async (file) => ({ name: file.name.slice(0, 100), bytes: await pack(file) })),
  )
  const whole = packed.reduce((sum, { bytes }) => sum + bytes.size, 0)
  if (whole > COST_FILES_BYTES) {
    throw new Error(
      `The compressed files are larger than ${COST_FILES_BYTES / 1024 / 1024} MB. Split the export by month.`,
    )
  }
  const { _id, partBytes } = await api.cost.begin({
    files: packed.map(({ name, bytes }) => ({ name, bytes: bytes.size })),
    leaveOutBad,
  })
  let sent = 0
  for (const [file, { bytes }] of packed.entries()) {
    for (let place = 0; place * partBytes < bytes.size; place += 1) {
      const part = bytes.slice(place * partBytes, (place + 1) * partBytes)
      await api.cost.send({ _id, file, place, bytes: await base64Of(part) })
      onProgress((sent += part.size) / whole)
    }
  }
}

async function pack(file: File): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (head[0] === 0x1f && head[1] === 0x8b) return file
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
}
