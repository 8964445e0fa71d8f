import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/**
 * Returns a new secret: the prefix, 256 random bits and the CRC-32 of the bits, both in base 62. Prefix and checksum let
 * secret scanners recognise a leaked key without a request, as GitHub's tokens do
 * (github.blog/2021-04-05-behind-githubs-new-authentication-token-formats).
 */
export function newSecret(prefix: string): string {
  const secret = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  return `${prefix}${secret}${checksumOf(secret)}`
}

/** Returns true for texts with the form of such a secret and a correct checksum. */
export function hasSecretForm(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix)) return false
  const rest = text.slice(prefix.length)
  const secret = rest.slice(0, SECRET_LENGTH)
  return rest.length === SECRET_LENGTH + CHECKSUM_LENGTH && rest.slice(SECRET_LENGTH) === checksumOf(secret)
}

const checksumOf = (secret: string): string => inBase62(BigInt(crc32(secret)), CHECKSUM_LENGTH)

function inBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)]! + text
  return text.padStart(length, '0')
}
