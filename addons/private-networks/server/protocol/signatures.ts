import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { publicKeyOf, verifyingKey } from '@trainyard/platform/server/run/secrets/signing-key.ts'

/** An Ed25519 key pair; the private key as base64 of PKCS #8. */
export interface SigningKeys {
  readonly privateKey: string
  readonly publicKey: Buffer
}

export function makeSigningKeys(): SigningKeys {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: publicKeyOf(privateKey),
  }
}

/** Signs values for one purpose, so that a signature is not valid for another one. */
export const signFor = (key: KeyObject, purpose: string, ...values: readonly string[]): string =>
  sign(null, signedBytes(purpose, values), key).toString('base64url')

/** Returns true if the holder of the private key signed exactly these values for this purpose. */
export function isSignedFor(publicKey: Buffer, signature: string, purpose: string, ...values: string[]): boolean {
  return verify(null, signedBytes(purpose, values), verifyingKey(publicKey), Buffer.from(signature, 'base64url'))
}

// JSON separates the values unambiguously.
const signedBytes = (purpose: string, values: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify([`trainyard ${purpose}`, ...values]))

export const fingerprintOf = (publicKey: Buffer): string => createHash('sha256').update(publicKey).digest('base64url')
