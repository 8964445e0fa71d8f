/** Tables that say how characters join and move: without them text is laid out many times faster. */
const SHAPING = new Set(['GSUB', 'GPOS', 'GDEF'])
const DIRECTORY = 12
const RECORD = 16

/**
 * Returns a TrueType font without its shaping tables: for texts in Latin, which need none. Fewer
 * tables stand in the directory; those that stay are where they were.
 * Source: https://learn.microsoft.com/en-us/typography/opentype/spec/otff#organization-of-an-opentype-font
 */
export function plainFont(font: Buffer): Buffer {
  const count = font.readUInt16BE(4)
  const plain = Buffer.from(font)
  const kept: Buffer[] = []
  for (let at = DIRECTORY; at < DIRECTORY + count * RECORD; at += RECORD) {
    const record = font.subarray(at, at + RECORD)
    const name = record.toString('latin1', 0, 4)
    if (!SHAPING.has(name)) kept.push(Buffer.from(record))
    // The library takes two fonts of one sum for the same.
    if (name === 'head') plain.writeUInt32BE(1, record.readUInt32BE(8) + 8)
  }
  plain.writeUInt16BE(kept.length, 4)
  Buffer.concat(kept).copy(plain, DIRECTORY)
  return plain
}
