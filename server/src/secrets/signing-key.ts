import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, PRIVATE_FILE } from '../files/private-folder.ts'
import { readKeyText, UnusableKey } from './unusable-key.ts'

const SIGNING_KEY_FILE = 'audit.key'

/**
 * Base64 of PKCS #8.
 * @throws Error whose message continues the setting's name
 */
export function readSigningKey(text: string): KeyObject {
  try {
    const key = createPrivateKey({ key: Buffer.from(text.trim(), 'base64'), format: 'der', type: 'pkcs8' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {}
  throw new Error('must be the base64 of an ed25519 key: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0')
}

/**
 * Returns null if no key has been created.
 * @throws UnusableKey
 */
export function signingKeyIn(dataDir: string): KeyObject | null {
  const file = join(dataDir, SIGNING_KEY_FILE)
  const text = readKeyText(file)
  if (text === null) return null
  try {
    return readSigningKey(text)
  } catch (error) {
    throw new UnusableKey(`${file} can't be used: it ${(error as Error).message}. Restore your copy of this file.`, {
      cause: error,
    })
  }
}

export function makeSigningKey(dataDir: string): KeyObject {
  const there = signingKeyIn(dataDir)
  if (there !== null) return there
  makePrivateFolder(dataDir)
  const file = join(dataDir, SIGNING_KEY_FILE)
  const draft = `${file}.${process.pid}`
  const { privateKey } = generateKeyPairSync('ed25519')
  const text = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  writeFileSync(draft, `${text}\n`, { mode: PRIVATE_FILE, flag: 'wx' })
  try {
    // A link, not a rename: if two processes start concurrently, the key of the first is used by both.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return makeSigningKey(dataDir)
}

export const publicKeyOf = (key: KeyObject): Buffer => {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x!, 'base64url')
}

export const verifyingKey = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' })
