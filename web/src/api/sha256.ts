/**
 * Returns the SHA-256 hash. Browsers offer no hashing on pages without TLS, except on localhost; on such pages this
 * file computes here.
 */
export const sha256 = async (bytes: BufferSource): Promise<Uint8Array<ArrayBuffer>> =>
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- absent on pages without TLS
  crypto.subtle === undefined ? digest(bytes) : new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const primes: number[] = []
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)

/** First 32 bits of the fractional parts of roots of the primes. */
const fractions = (power: number) => Int32Array.from(primes, (prime) => prime ** power * 2 ** 32)

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/**
 * Computes SHA-256.
 * Source: https://nvlpubs.nist.gov/nistpubs/FIPS/NIST.FIPS.180-4.pdf, section 6.2
 */
function digest(source: BufferSource): Uint8Array<ArrayBuffer> {
  const bytes =
    source instanceof ArrayBuffer
      ? new Uint8Array(source)
      : new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
  const padded = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6))
  new Uint8Array(padded.buffer).set(bytes)
  padded.setUint8(bytes.length, 0x80)
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n)
  const constants = fractions(1 / 3)
  const hash = fractions(1 / 2).slice(0, 8)
  const words = new Int32Array(64)
  for (let at = 0; at < padded.byteLength; at += 64) {
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = padded.getInt32(at + i * 4)
      else {
        const [x, y] = [words[i - 15]!, words[i - 2]!]
        words[i] =
          (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) +
          (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10)) +
          words[i - 7]! +
          words[i - 16]!
      }
      const first =
        h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!
      const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i]! += word
  }
  const result = new DataView(new ArrayBuffer(32))
  for (const [i, word] of hash.entries()) result.setInt32(i * 4, word)
  return new Uint8Array(result.buffer)
}
