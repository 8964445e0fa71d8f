import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly path: string
  readonly content: Buffer
  /** Mode of Unix; default: a regular file. */
  readonly mode?: number
  /** Size that the archive states; default: the real one. */
  readonly size?: number
  readonly flags?: number
}

/** Returns a zip archive, also a malicious one. Source: PKWARE APPNOTE 6.3.10. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { path, content, mode = 0o100644, size = content.length, flags = 0 } of entries) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(content)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(flags, 2)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(size, 18)
    shared.writeUInt16LE(name.length, 22)
    const header = Buffer.concat([Buffer.from('504b0304', 'hex'), shared, name, packed])
    const end = Buffer.alloc(14)
    end.writeUInt32LE((mode << 16) >>> 0, 6)
    end.writeUInt32LE(offset, 10)
    central.push(Buffer.from('504b01021403', 'hex'), shared, end, name)
    local.push(header)
    offset += header.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

export const zipOfFiles = (files: ReadonlyMap<string, Buffer>, folder = ''): Buffer =>
  zipOf([...files].map(([path, content]) => ({ path: `${folder}${path}`, content })))
