import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'

const KEY = 'lti.key'

type Claims = Readonly<Record<string, unknown>>

/** An error of the LMS's OAuth 2.0 endpoints. */
export class LmsRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type SigningKey = JsonWebKey & { readonly kid: string }

/** Returns the LMS's signing key, which is stored, so that tools find the same key after a restart. */
export function lmsKey(settings: Settings): SigningKey {
  const stored = settings.read(KEY)
  if (stored !== undefined) return JSON.parse(stored) as SigningKey
  return rotateLmsKey(settings)
}

export function rotateLmsKey(settings: Settings): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(8).toString('hex'), alg: 'RS256', use: 'sig' }
  settings.write(KEY, JSON.stringify(key))
  return key
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function signToken(key: SigningKey, claims: Claims): string {
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid: key.kid })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(text), createPrivateKey({ key, format: 'jwk' }))
  return `${text}.${signature.toString('base64url')}`
}

/** Verifies a token of a tool by the key set at its address. @throws LmsRefusal */
export async function readToolToken(token: string, keySetUrl: string): Promise<Claims> {
  const [encodedHeader = '', body = '', signature = ''] = token.split('.')
  const read = (text: string): Claims => JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims
  const refuse = (message: string) => new LmsRefusal(400, 'invalid_client', message)
  let header: Claims
  try {
    header = read(encodedHeader)
  } catch {
    throw refuse('The assertion cannot be read.')
  }
  if (header['alg'] !== 'RS256') throw refuse('The assertion must be signed with RS256.')
  const reply = await fetch(keySetUrl, { redirect: 'error' }).catch(() => null)
  if (reply?.status !== 200) throw new LmsRefusal(404, 'html', 'The key set of the tool cannot be fetched.')
  const { keys } = (await reply.json()) as { keys: SigningKey[] }
  const key = keys.find(({ kid }) => kid === header['kid'])
  if (key === undefined) throw refuse('The key set of the tool has no such key.')
  const isValid = verify(
    'sha256',
    Buffer.from(`${encodedHeader}.${body}`),
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  )
  if (!isValid) throw refuse('The signature of the assertion is not valid.')
  const claims = read(body)
  const now = Date.now() / 1_000
  const { exp, iat } = claims
  if (typeof exp !== 'number' || exp < now) throw refuse('The assertion has expired.')
  if (typeof iat !== 'number' || iat > now + 60) throw refuse('The assertion was issued in the future.')
  return claims
}
