export interface Unit {
  readonly kind: 'packet' | 'input'
  readonly bytes: Buffer
}

const MAX_LENGTH = 64 * 1024

/** Throws if the stream is not RDP. Source: MS-RDPBCGR, sections 2.2.8.1.2 (fast-path input) and 5.3.1 (TPKT) */
export function unitsOf(stream: Buffer): { readonly units: readonly Unit[]; readonly rest: Buffer } {
  const units: Unit[] = []
  let remaining = stream
  for (;;) {
    const length = lengthOf(remaining)
    if (length === null || remaining.length < length) return { units, rest: remaining }
    units.push({ kind: remaining[0] === 3 ? 'packet' : 'input', bytes: remaining.subarray(0, length) })
    remaining = remaining.subarray(length)
  }
}

function lengthOf(bytes: Buffer): number | null {
  if (bytes.length < 4) return null
  const isPacket = bytes[0] === 3
  const hasShortLength = bytes[1]! < 0x80
  const length = isPacket ? bytes.readUInt16BE(2) : hasShortLength ? bytes[1]! : bytes.readUInt16BE(1) & 0x7fff
  if (length < (isPacket ? 7 : 3) || length > MAX_LENGTH || (!isPacket && (bytes[0]! & 3) !== 0)) {
    throw new Error('The stream is not RDP.')
  }
  return length
}
