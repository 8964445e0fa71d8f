/** Returns random bytes as hexadecimal digits. Also works on pages without TLS. */
const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Returns a new random ID, such as the Idempotency-Key of a call. */
export const newId = (): string => randomHex(16)
