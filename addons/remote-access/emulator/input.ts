export type Input =
  | { readonly kind: 'key'; readonly code: number; readonly down: boolean }
  | { readonly kind: 'text'; readonly unit: number; readonly down: boolean }
  | { readonly kind: 'mouse'; readonly flags: number; readonly x: number; readonly y: number }

/** Bytes after the first one, by event code. */
const LENGTH = [1, 6, 6, 0, 2] as const

/** Parses fast-path input. Source: MS-RDPBCGR, section 2.2.8.1.2 */
export function inputsOf(bytes: Buffer): Input[] {
  let offset = bytes[1]! < 0x80 ? 2 : 3
  let count = (bytes[0]! >> 2) & 0xf
  if (count === 0) count = bytes[offset++] ?? 0
  const inputs: Input[] = []
  for (; count > 0 && offset < bytes.length; count -= 1) {
    const kind = bytes[offset]! >> 5
    const flags = bytes[offset]! & 0x1f
    const length = LENGTH[kind]
    if (length === undefined || offset + 1 + length > bytes.length) throw new Error('The input is malformed.')
    const body = bytes.subarray(offset + 1, offset + 1 + length)
    offset += 1 + length
    const down = (flags & 1) === 0
    // An extended key differs from the key with the same code.
    if (kind === 0) inputs.push({ kind: 'key', code: body[0]! | (flags & 2 ? 0xe000 : 0), down })
    if (kind === 1) {
      inputs.push({ kind: 'mouse', flags: body.readUInt16LE(0), x: body.readUInt16LE(2), y: body.readUInt16LE(4) })
    }
    if (kind === 4) inputs.push({ kind: 'text', unit: body.readUInt16LE(0), down })
  }
  return inputs
}

const ROWS: readonly (readonly [first: number, plain: string, shifted: string])[] = [
  [0x02, '1234567890-=', '!@#$%^&*()_+'],
  [0x10, 'qwertyuiop[]\n', 'QWERTYUIOP{}\n'],
  [0x1e, "asdfghjkl;'`", 'ASDFGHJKL:"~'],
  [0x2b, '\\zxcvbnm,./', '|ZXCVBNM<>?'],
  [0x39, ' ', ' '],
]

export function characterOf(code: number, shifted: boolean): string | null {
  for (const [first, unshifted, upper] of ROWS) {
    const character = (shifted ? upper : unshifted)[code - first]
    if (code >= first && character !== undefined) return character
  }
  return null
}
