import { createHmac, createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'
import { CLIENTS } from './clients.ts'

type Claims = Record<string, unknown>

const read = (part: string | undefined): Claims => JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Claims
const write = (value: Claims): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function faultyClaims(claims: Claims, { kind, seconds }: Fault): Claims {
  const now = Math.floor(Date.now() / 1000)
  switch (kind) {
    case 'wrongIssuer':
      return { ...claims, iss: 'https://issuer.evil.test' }
    case 'wrongAudience':
      return { ...claims, aud: 'another-application' }
    case 'otherNonce':
      return { ...claims, nonce: 'n'.repeat(43) }
    case 'unverifiedEmail':
      return { ...claims, email_verified: false }
    case 'clockAhead':
      return { ...claims, iat: now + seconds, exp: now + seconds + 3600 }
    case 'expired':
      return { ...claims, iat: now - seconds - 3600, exp: now - seconds }
    default:
      return claims
  }
}

export function faultyToken(token: string, fault: Fault, jwk: JsonWebKey): string {
  const [head, body] = token.split('.')
  const header = read(head)
  const claims = read(body)
  const signed = (key: KeyObject): string => {
    const text = `${write(header)}.${write(faultyClaims(claims, fault))}`
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
  }
  switch (fault.kind) {
    case 'unsigned':
      return `${write({ ...header, alg: 'none' })}.${body}.`
    case 'signedWithSecret': {
      const text = `${write({ ...header, alg: 'HS256' })}.${body}`
      const { client_secret } = CLIENTS.find(({ client_id }) => client_id === claims['aud'])!
      return `${text}.${createHmac('sha256', client_secret).update(text).digest('base64url')}`
    }
    case 'signedByAnotherKey':
      return signed(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
    default:
      return signed(createPrivateKey({ key: jwk, format: 'jwk' }))
  }
}
