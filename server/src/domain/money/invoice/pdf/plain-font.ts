/** Font tables for glyph substitution and positioning. Text layout is many times faster without them. */
const SHAPING = new Set(['GSUB', 'GPOS', 'GDEF'])
const DIRECTORY = 12
const RECORD = 16

/**
 * Returns a TrueType font without its shaping tables, for Latin texts, which need none. Removes their entries from the
 * table directory; the other tables keep their offsets.
 * Source: https://learn.microsoft.com/en-us/typography/opentype/spec/otff#organization-of-an-opentype-font
 */
export function plainFont(font: Buffer): Buffer {
  const count = font.readUInt16BE(4)
  const plain = Buffer.from(font)
  const records: Buffer[] = []
  for (let at = DIRECTORY; at < DIRECTORY + count * RECORD; at += RECORD) {
    const record = font.subarray(at, at + RECORD)
    const name = record.toString('latin1', 0, 4)
    if (!SHAPING.has(name)) records.push(Buffer.from(record))
    // Changes the checksum, because the library treats two fonts with the same checksum as one.
    if (name === 'head') plain.writeUInt32BE(1, record.readUInt32BE(8) + 8)
  }
  plain.writeUInt16BE(records.length, 4)
  Buffer.concat(records).copy(plain, DIRECTORY)
  return plain
}
