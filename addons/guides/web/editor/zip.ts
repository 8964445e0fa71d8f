const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 255]!
  return ~crc >>> 0
}

/** Returns numbers of 2 and 4 bytes as a zip archive has them. */
function numbers(...all: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    all.flatMap(([bytes, value]) => Array.from({ length: bytes }, (_, index) => (value >>> (8 * index)) & 255)),
  )
}

/** Returns a zip archive whose files are not compressed. Source: PKWARE APPNOTE 6.3.10. */
export function zipOf(files: Iterable<readonly [path: string, content: Uint8Array<ArrayBuffer>]>): Blob {
  const local: Uint8Array<ArrayBuffer>[] = []
  const central: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  let count = 0
  for (const [path, content] of files) {
    const name = new TextEncoder().encode(path)
    const shared = numbers(
      [2, 20],
      [2, 0x800],
      [2, 0],
      [4, 0x210000],
      [4, crc32(content)],
      [4, content.length],
      [4, content.length],
      [2, name.length],
      [2, 0],
    )
    local.push(numbers([4, 0x04034b50]), shared, name, content)
    central.push(numbers([4, 0x02014b50], [2, 20]), shared, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), name)
    offset += 4 + shared.length + name.length + content.length
    count += 1
  }
  const directory = central.reduce((sum, part) => sum + part.length, 0)
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, directory], [4, offset], [2, 0])
  return new Blob([...local, ...central, end])
}
