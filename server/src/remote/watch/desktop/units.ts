/** The longest unit: TPKT has two bytes for its length. */
const MOST = 64 * 1024

/**
 * Cuts one side's stream of RDP, in TLS and after CredSSP, into its units: packets of TPKT, and what goes by the fast path.
 * Source: MS-RDPBCGR, sections 2.2.8.1.2, 2.2.9.1.2 (fast path) and 5.3.1 (TPKT)
 */
export class Units {
  #rest: Buffer = Buffer.alloc(0)

  /** Answers whole units; throws on what is none. */
  take(bytes: Buffer): Buffer[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const units: Buffer[] = []
    for (let length = lengthOf(rest); length !== null && length <= rest.length; length = lengthOf(rest)) {
      units.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    // Bytes from the wire hold more memory than their own.
    this.#rest = rest.length === 0 ? rest : Buffer.from(rest)
    return units
  }
}

export const isPacket = (unit: Buffer): boolean => unit[0] === 3

function lengthOf(bytes: Buffer): number | null {
  if (bytes.length < 4) return bytes.length === 3 && bytes[0] !== 3 && bytes[1] === 3 ? 3 : null
  const packet = isPacket(bytes)
  const length = packet ? bytes.readUInt16BE(2) : bytes[1]! < 0x80 ? bytes[1]! : bytes.readUInt16BE(1) & 0x7fff
  // Within TLS nothing is encrypted a second time.
  if (length < (packet ? 7 : 3) || length > MOST || (!packet && (bytes[0]! & 0xc3) !== 0)) {
    throw new Error('This is no RDP.')
  }
  return length
}
