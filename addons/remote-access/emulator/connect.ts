/**
 * Connection sequence. Source: MS-RDPBCGR, section 1.3.1.1,
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-rdpbcgr/
 */
import { be16, hex, join, le16, le32 } from './bytes.ts'

/** Channel of the session. The numbers of the client's static channels follow it. */
export const IO_CHANNEL = 1003
const USER = 1007
const SERVER = 1002
const FIRST_USER = 1001

/** Client settings of section 2.2.1.3. */
export interface ClientSettings {
  readonly width: number
  readonly height: number
  readonly channels: readonly string[]
}

/** Reads the settings in the client's MCS connection request, sections 2.2.1.3.2 and 2.2.1.3.4. */
export function readClientSettings(packet: Buffer): ClientSettings {
  const offset = packet.indexOf('Duca')
  if (offset < 0) throw new Error('The connection request has no client data.')
  // The length field has two bytes for lengths of 128 and more.
  let block = offset + 4 + (packet[offset + 4]! & 0x80 ? 2 : 1)
  let size = { width: 1024, height: 768 }
  let channels: string[] = []
  while (block + 4 <= packet.length) {
    const type = packet.readUInt16LE(block)
    const length = packet.readUInt16LE(block + 2)
    if (length < 4) break
    if (type === 0xc001) size = { width: packet.readUInt16LE(block + 8), height: packet.readUInt16LE(block + 10) }
    if (type === 0xc003) {
      const count = Math.min(31, packet.readUInt32LE(block + 4))
      channels = Array.from({ length: count }, (_, i) => {
        const name = packet.subarray(block + 8 + 12 * i, block + 16 + 12 * i).toString('latin1')
        return name.replace(/\0.*$/s, '')
      })
    }
    block += length
  }
  return { ...size, channels }
}

const perLength = (length: number): Buffer => (length < 0x80 ? Buffer.from([length]) : be16(0x8000 | length))
const berLength = (length: number): Buffer => join([0x82], be16(length))

const packet = (body: Buffer): Buffer => join([3, 0], be16(body.length + 7), [2, 0xf0, 0x80], body)

/**
 * Returns the reply to the connection request, in which the client's channels are numbered after the session's channel.
 * Section 2.2.1.4.
 */
export function connectResponse({ channels }: ClientSettings): Buffer {
  const core = join(le16(0x0c01, 16), le32(0x00080004, 3, 0))
  const security = join(le16(0x0c02, 12), le32(0, 0))
  const ids = channels.map((_, i) => IO_CHANNEL + 1 + i)
  const padded = ids.length % 2 === 0 ? ids : [...ids, 0]
  const network = join(le16(0x0c03, 8 + 2 * padded.length, IO_CHANNEL, ids.length), le16(...padded))
  const settings = join(core, security, network)
  const conference = join(hex('14 760a 0101 00 01 c0 00 4d63446e'), perLength(settings.length), settings)
  const user = join(hex('0005 00147c0001'), perLength(conference.length), conference)
  const domain = hex('30 1a 020116 020103 020100 020101 020100 020101 020300fff8 020102')
  const body = join(hex('0a0100 020100'), domain, [0x04], berLength(user.length), user)
  return packet(join([0x7f, 0x66], berLength(body.length), body))
}

export const attachConfirm = (): Buffer => packet(join([0x2e, 0], be16(USER - FIRST_USER)))

export const joinConfirm = (channel: number): Buffer =>
  packet(join([0x3e, 0], be16(USER - FIRST_USER, channel, channel)))

export const indication = (channel: number, data: Buffer): Buffer =>
  packet(join([0x68], be16(SERVER - FIRST_USER, channel), [0x70], be16(0x8000 | data.length), data))

export function dataOf(bytes: Buffer): { readonly channel: number; readonly data: Buffer } | null {
  if (bytes[7] !== 0x64) return null
  return { channel: bytes.readUInt16BE(10), data: bytes.subarray(bytes[13]! & 0x80 ? 15 : 14) }
}

/** Returns the licensing message of Windows without a licence server: no licence is needed. Section 2.2.1.12. */
export const noLicenceNeeded = (): Buffer =>
  indication(IO_CHANNEL, join(le16(0x80, 0), hex('ff03 1000'), le32(7, 2), le16(4, 0)))

/** Reads the account and password that the client sends after TLS, section 2.2.1.11. */
export function readAccount(data: Buffer): { readonly account: string; readonly password: string } {
  const lengths = [0, 1, 2].map((i) => data.readUInt16LE(12 + 2 * i))
  const texts: string[] = []
  let offset = 22
  for (const length of lengths) {
    texts.push(data.subarray(offset, offset + length).toString('utf16le'))
    offset += length + 2
  }
  return { account: texts[1]!, password: texts[2]! }
}

export const disconnectMessage = (): Buffer => packet(hex('2180'))
