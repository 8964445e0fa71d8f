import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns true when a signature in hexadecimal is the HMAC-SHA256 of the text, compared in constant time. */
export function isSignedWith(secret: string, text: string, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  return timingSafeEqual(createHmac('sha256', secret).update(text, 'utf8').digest(), Buffer.from(signature, 'hex'))
}
