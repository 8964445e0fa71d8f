// Source of this module: MS-RDPBCGR, https://learn.microsoft.com/openspecs/windows_protocols/ms-rdpbcgr/

/** Types of share control PDUs, section 2.2.8.1.1.1.1. */
export const PDU_TYPE = { demandActive: 1, confirmActive: 3, deactivateAll: 6, data: 7 } as const
const FONT_MAP = 0x28
const SESSION_INFO = 0x26
const REFRESH_RECT = 0x21

/** Data of one channel in either direction (section 2.2.1.13.1.1). */
export interface ChannelData {
  readonly user: number
  readonly channel: number
  readonly data: Buffer
}

export function channelData(packet: Buffer): ChannelData | null {
  if ((packet[7] !== 0x64 && packet[7] !== 0x68) || packet.length < 16) return null
  const data = packet.subarray(packet[13]! & 0x80 ? 15 : 14)
  return { user: packet.readUInt16BE(8), channel: packet.readUInt16BE(10), data }
}

/** Returns the type of a PDU on the channel of the session; null if the PDU is too short. */
export const pduTypeOf = (data: Buffer): number | null => (data.length < 10 ? null : data.readUInt16LE(2) & 0xf)

/** Returns true for the Font Map PDU, which completes the handshake. Drawing starts after it. */
export const isFontMap = (data: Buffer): boolean => pduTypeOf(data) === PDU_TYPE.data && data[14] === FONT_MAP

/**
 * Returns true for Save Session Info, which contains a cookie for reconnecting without a password, sections 2.2.10.1
 * and 5.5.
 */
export const isSessionInfo = (data: Buffer): boolean => pduTypeOf(data) === PDU_TYPE.data && data[14] === SESSION_INFO

/** Returns true for the client's first packet after TLS and CredSSP, section 2.2.1.3. */
export const isConnectInitial = (bytes: Buffer): boolean => bytes[0] === 3 && bytes[7] === 0x7f && bytes[8] === 0x65

/** Returns the connection confirm (section 2.2.1.2), changed for a client that supports only TLS. */
export function confirmTls(confirm: Buffer): Buffer {
  const changed = Buffer.from(confirm)
  changed.writeUInt32LE(1, changed.length - 4)
  return changed
}

/** Returns a request to redraw the whole picture, section 2.2.11.2. */
export function refreshRect({ user, channel, share, size }: RdpSession): Buffer {
  const area = Buffer.alloc(12)
  area[0] = 1
  area.writeUInt16LE(size.width - 1, 8)
  area.writeUInt16LE(size.height - 1, 10)
  const data = Buffer.alloc(18)
  data.writeUInt16LE(data.length + area.length, 0)
  data.writeUInt16LE(0x10 | PDU_TYPE.data, 2)
  data.writeUInt16LE(user + FIRST_USER, 4)
  data.writeUInt32LE(share, 6)
  data[11] = 1
  data.writeUInt16LE(4 + area.length, 12)
  data[14] = REFRESH_RECT
  const head = Buffer.from([3, 0, 0, 0, 2, 0xf0, 0x80, 0x64, 0, 0, 0, 0, 0x70, data.length + area.length])
  head.writeUInt16BE(head.length + data.length + area.length, 2)
  head.writeUInt16BE(user, 8)
  head.writeUInt16BE(channel, 10)
  return Buffer.concat([head, data, area])
}
const FIRST_USER = 1001

export interface RdpSession {
  readonly user: number
  readonly channel: number
  readonly share: number
  readonly size: { readonly width: number; readonly height: number }
}

/** Returns the size that a machine offers (sections 2.2.1.13.1.1 and 2.2.7.1.2), or null. */
export function sizeIn(demandActive: Buffer): RdpSession['size'] | null {
  let at = 14 + demandActive.readUInt16LE(10) + 4
  while (at + 16 <= demandActive.length) {
    const length = demandActive.readUInt16LE(at + 2)
    if (demandActive.readUInt16LE(at) === BITMAP_CAPABILITY) {
      return { width: demandActive.readUInt16LE(at + 12), height: demandActive.readUInt16LE(at + 14) }
    }
    at += Math.max(4, length)
  }
  return null
}
const BITMAP_CAPABILITY = 2

/**
 * Input that releases all keys at the machine (section 2.2.8.1.2.2.5), in case the previous owner of the keyboard held
 * some.
 */
export const RELEASE_KEYS = Buffer.from([0x04, 0x03, 0x60])

/** Returns true if an update does not continue a fragmented one, section 2.2.9.1.2.1. */
export const beginsUpdate = (unit: Buffer): boolean => (headerOf(unit) & 0x10) === 0
/**
 * Returns true for bulk compression. Later watchers cannot decompress such data, because it depends on earlier data.
 */
export const isCompressed = (unit: Buffer): boolean => (headerOf(unit) & 0xc0) !== 0

const bodyAt = (unit: Buffer): number => (unit[1]! & 0x80 ? 3 : 2)
const headerOf = (unit: Buffer): number => unit[bodyAt(unit)] ?? 0

/**
 * Returns true for codec settings of later updates (RemoteFX, MS-RDPRFX section 2.2.2.2.1), which every client needs
 * first.
 */
export function beginsCodec(unit: Buffer): boolean {
  if ((headerOf(unit) & 0x1f) !== SURFACE_COMMANDS) return false
  let at = bodyAt(unit) + 3
  while (unit.length > at + 8 && unit.readUInt16LE(at) === FRAME_MARKER) at += 8
  const bits = at + 22
  return unit.length >= bits + 12 && unit.readUInt16LE(bits) === SYNC && unit.readUInt32LE(bits + 6) === SYNC_MAGIC
}
const SURFACE_COMMANDS = 4
const FRAME_MARKER = 4
const SYNC = 0xccc0
const SYNC_MAGIC = 0xcaccacca

/** Returns the last pointer position in an input PDU, section 2.2.8.1.2.2; null if the pointer does not move. */
export function pointerIn(unit: Buffer): { readonly x: number; readonly y: number } | null {
  let at = bodyAt(unit)
  let count = (unit[0]! >> 2) & 0xf
  if (count === 0) count = unit[at++] ?? 0
  let place = null
  for (; count > 0 && at < unit.length; count -= 1) {
    const kind = unit[at]! >> 5
    const length = INPUT_LENGTH[kind]
    if (length === undefined || at + length > unit.length) return place
    if (kind === 1 || kind === 2) place = { x: unit.readUInt16LE(at + 3), y: unit.readUInt16LE(at + 5) }
    at += length
  }
  return place
}
const INPUT_LENGTH = [2, 7, 7, 1, 3, 7, 5] as const
