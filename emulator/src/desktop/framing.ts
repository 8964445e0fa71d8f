/** One unit of a client's stream: a packet of the older layers, or one of input on the fast path. */
export interface Unit {
  readonly kind: 'packet' | 'input'
  readonly bytes: Buffer
}

/** Longer ones are no client's. */
const MOST = 64 * 1024

/**
 * Cuts a client's stream into its units, and hands back what is left; throws on what is none.
 * Source: MS-RDPBCGR, sections 2.2.8.1.2 (fast-path input) and 5.3.1 (TPKT)
 */
export function unitsOf(stream: Buffer): { readonly units: readonly Unit[]; readonly rest: Buffer } {
  const units: Unit[] = []
  let rest = stream
  for (;;) {
    const length = lengthOf(rest)
    if (length === null || rest.length < length) return { units, rest }
    units.push({ kind: rest[0] === 3 ? 'packet' : 'input', bytes: rest.subarray(0, length) })
    rest = rest.subarray(length)
  }
}

function lengthOf(bytes: Buffer): number | null {
  if (bytes.length < 4) return null
  const isPacket = bytes[0] === 3
  const short = bytes[1]! < 0x80
  const length = isPacket ? bytes.readUInt16BE(2) : short ? bytes[1]! : bytes.readUInt16BE(1) & 0x7fff
  if (length < (isPacket ? 7 : 3) || length > MOST || (!isPacket && (bytes[0]! & 3) !== 0)) {
    throw new Error('This is no RDP.')
  }
  return length
}
