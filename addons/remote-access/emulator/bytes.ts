/** RDP numbers are little-endian, except in the older layers (TPKT, X.224, MCS). */
export function le16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, i) => bytes.writeUInt16LE(value, 2 * i))
  return bytes
}

export function le32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => bytes.writeUInt32LE(value, 4 * i))
  return bytes
}

export function be16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, i) => bytes.writeUInt16BE(value, 2 * i))
  return bytes
}

export const join = (...parts: readonly (Buffer | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part))))

export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')
