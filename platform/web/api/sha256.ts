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

const rotateRight = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

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
  const schedule = new Int32Array(64)
  for (let at = 0; at < padded.byteLength; at += 64) {
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      if (i < 16) schedule[i] = padded.getInt32(at + i * 4)
      else {
        const [x, y] = [schedule[i - 15]!, schedule[i - 2]!]
        schedule[i] =
          (rotateRight(x, 7) ^ rotateRight(x, 18) ^ (x >>> 3)) +
          (rotateRight(y, 17) ^ rotateRight(y, 19) ^ (y >>> 10)) +
          schedule[i - 7]! +
          schedule[i - 16]!
      }
      const first =
        h +
        (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        ((e & f) ^ (~e & g)) +
        constants[i]! +
        schedule[i]!
      const second = (rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i]! += word
  }
  const result = new DataView(new ArrayBuffer(32))
  for (const [i, word] of hash.entries()) result.setInt32(i * 4, word)
  return new Uint8Array(result.buffer)
}
