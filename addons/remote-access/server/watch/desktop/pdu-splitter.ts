/** Maximum size of a PDU, in bytes. TPKT has a length field of two bytes. */
const MAX_PDU_BYTES = 64 * 1024

/**
 * Splits data into TPKT and fast-path PDUs, inside TLS and after CredSSP (MS-RDPBCGR, sections 2.2.8.1.2, 2.2.9.1.2 and
 * 5.3.1).
 */
export class PduSplitter {
  #rest: Buffer = Buffer.alloc(0)

  take(bytes: Buffer): Buffer[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const units: Buffer[] = []
    for (let length = lengthOf(rest); length !== null && length <= rest.length; length = lengthOf(rest)) {
      units.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    // The data is copied, because a slice would retain the whole received buffer in memory.
    this.#rest = rest.length === 0 ? rest : Buffer.from(rest)
    return units
  }
}

export const isPacket = (unit: Buffer): boolean => unit[0] === 3

function lengthOf(bytes: Buffer): number | null {
  if (bytes.length < 4) return bytes.length === 3 && bytes[0] !== 3 && bytes[1] === 3 ? 3 : null
  const packet = isPacket(bytes)
  const length = packet ? bytes.readUInt16BE(2) : bytes[1]! < 0x80 ? bytes[1]! : bytes.readUInt16BE(1) & 0x7fff
  // The encryption flags must not be set, because the connection uses TLS.
  if (length < (packet ? 7 : 3) || length > MAX_PDU_BYTES || (!packet && (bytes[0]! & 0xc3) !== 0)) {
    throw new Error('This is no RDP.')
  }
  return length
}
