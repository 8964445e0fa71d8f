/** MCS Connect Initial in a TPKT packet (MS-RDPBCGR, section 2.2.1.3). */
const isConnectInitial = (bytes: Buffer): boolean =>
  bytes.length > 9 && bytes[0] === 3 && bytes.readUInt16BE(7) === 0x7f65

/** Key of the client, after which its data begin (T.124), and header of the core data (section 2.2.1.3.2). */
const CLIENT_KEY = 'Duca'
const CORE_DATA = Buffer.from([0x01, 0xc0])

const OFFSET = {
  highColorDepth: 140,
  supportedColorDepths: 142,
  earlyCapabilityFlags: 144,
  connectionType: 210,
} as const
const BITS_24 = 24
const SUPPORTS_32_BITS = 8
const WANTS_32_BITS = 2
const HAS_CONNECTION_TYPE = 0x20
const LAN = 6

/**
 * Requests 32 bits per pixel for the page's client, which requests 16 and cannot be configured. xrdp then sends
 * RemoteFX. With 16 bits, xrdp sends bitmaps with padded rows, at which the client draws askew or fails
 * (https://github.com/Devolutions/IronRDP/issues/1251). Changes only a Connect Initial.
 */
export function requestTrueColour(packet: Buffer): void {
  if (!isConnectInitial(packet)) return
  const key = packet.indexOf(CLIENT_KEY)
  const at = packet.indexOf(CORE_DATA, key + CLIENT_KEY.length)
  if (key === -1 || at === -1 || at + OFFSET.connectionType >= packet.length) return
  // Older clients send shorter data.
  if (packet.readUInt16LE(at + 2) <= OFFSET.connectionType) return
  const set = (offset: number, flags: number) =>
    packet.writeUInt16LE(packet.readUInt16LE(at + offset) | flags, at + offset)
  packet.writeUInt16LE(BITS_24, at + OFFSET.highColorDepth)
  set(OFFSET.supportedColorDepths, SUPPORTS_32_BITS)
  set(OFFSET.earlyCapabilityFlags, WANTS_32_BITS | HAS_CONNECTION_TYPE)
  packet[at + OFFSET.connectionType] = LAN
}
