import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { KEY_PREFIX } from '@trainyard/contract/words/scope.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/**
 * Returns a new key: the prefix, 256 random bits and the CRC-32 of these, both in base 62. Prefix and checksum let
 * secret scanners recognise a leaked key without a request, as GitHub's tokens do
 * (github.blog/2021-04-05-behind-githubs-new-authentication-token-formats).
 */
export function newApiKey(): string {
  const secret = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  return `${KEY_PREFIX}${secret}${checksumOf(secret)}`
}

/** Returns true for texts with the form of a key and a correct checksum. */
export function hasKeyForm(text: string): boolean {
  if (!text.startsWith(KEY_PREFIX)) return false
  const rest = text.slice(KEY_PREFIX.length)
  const secret = rest.slice(0, SECRET_LENGTH)
  return rest.length === SECRET_LENGTH + CHECKSUM_LENGTH && rest.slice(SECRET_LENGTH) === checksumOf(secret)
}

const checksumOf = (secret: string): string => inBase62(BigInt(crc32(secret)), CHECKSUM_LENGTH)

function inBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)]! + text
  return text.padStart(length, '0')
}
