import { join, le16, le32 } from './bytes.ts'
import { indication, IO_CHANNEL } from './connect.ts'

/** Share ID of the session, which all messages after the connection sequence contain. */
const SHARE = 0x000103ea
const SERVER = 0x03ea

const KIND = { demand: 0x11, deactivate: 0x16, data: 0x17 } as const
/** Types of data, section 2.2.8.1.1.1.2. */
export const DATA = { control: 20, synchronize: 31, refreshRect: 33, shutdown: 36, fontList: 39, fontMap: 40 } as const

const control = (kind: number, body: Buffer): Buffer =>
  indication(IO_CHANNEL, join(le16(body.length + 6, kind, SERVER), body))

const data = (kind: number, body: Buffer): Buffer =>
  control(KIND.data, join(le32(SHARE), [0, 1], le16(body.length + 18), [kind, 0], le16(0), body))

const capability = (kind: number, body: Buffer): Buffer => join(le16(kind, body.length + 4), body)

/** Offers 16 bits per pixel, and keyboard input as scan codes and as Unicode. Section 2.2.1.13.1. */
export function demandActive(width: number, height: number): Buffer {
  const sets = [
    capability(1, join(le16(1, 3, 0x0200, 0, 0, 0x0405, 0, 0, 0), [1, 0])),
    capability(2, join(le16(16, 1, 1, 1, width, height, 0, 1, 1), [0, 0], le16(1, 0))),
    capability(13, join(le16(0x35, 0), le32(0x409, 4, 0, 12), Buffer.alloc(64))),
    capability(8, le16(1, 20, 20)),
    capability(9, le16(SERVER, 0)),
    capability(20, le32(0, 1600)),
    capability(26, le32(0xffff)),
  ]
  const combined = join(le16(sets.length, 0), ...sets)
  const name = Buffer.from('RDP\0')
  return control(KIND.demand, join(le32(SHARE), le16(name.length, combined.length), name, combined, le32(0)))
}

/** Deactivates the session, so that another size can be offered. Section 2.2.3.1. */
export const deactivateAll = (): Buffer => control(KIND.deactivate, join(le32(SHARE), le16(1), [0]))

export function dataIn(bytes: Buffer): { readonly kind: number; readonly body: Buffer } | null {
  if (bytes.length < 18 || (bytes.readUInt16LE(2) & 0xf) !== 7) return null
  return { kind: bytes[14]!, body: bytes.subarray(18) }
}

/** Returns the server's reply in the connection finalization, or null if there is none. Section 1.3.1.1, phase 10. */
export function answerTo({ kind, body }: { readonly kind: number; readonly body: Buffer }): Buffer | null {
  switch (kind) {
    case DATA.synchronize:
      return data(DATA.synchronize, le16(1, SERVER))
    case DATA.control:
      return body.readUInt16LE(0) === 4
        ? data(DATA.control, join(le16(4, 0), le32(0)))
        : data(DATA.control, join(le16(2, SERVER), le32(SERVER)))
    case DATA.fontList:
      return data(DATA.fontMap, le16(0, 0, 3, 4))
    default:
      return null
  }
}
