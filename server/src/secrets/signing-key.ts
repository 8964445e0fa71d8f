import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, PRIVATE_FILE } from '../files/closed-folder.ts'
import { readKeyText, UnusableKey } from './unusable-key.ts'

/** The file of the data folder that has the key where no setting gives one. */
export const SIGNING_KEY_FILE = 'audit.key'

/** Reads an ed25519 key from the base64 of its PKCS #8 form. @throws Error that goes on after the setting's name */
export function readSigningKey(text: string): KeyObject {
  try {
    const key = createPrivateKey({ key: Buffer.from(text.trim(), 'base64'), format: 'der', type: 'pkcs8' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // It is said below.
  }
  throw new Error('must be the base64 of an ed25519 key: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0')
}

/** Reads the key of a data folder; null: none was made there yet. @throws UnusableKey */
export function signingKeyIn(dataDir: string): KeyObject | null {
  const file = join(dataDir, SIGNING_KEY_FILE)
  const text = readKeyText(file)
  if (text === null) return null
  try {
    return readSigningKey(text)
  } catch (error) {
    throw new UnusableKey(`${file} can't be used: it ${(error as Error).message}. Put your copy of it back.`, {
      cause: error,
    })
  }
}

/** Reads the key of a data folder, or makes it; only its owner can read the file. */
export function makeSigningKey(dataDir: string): KeyObject {
  const there = signingKeyIn(dataDir)
  if (there !== null) return there
  makeFolder(dataDir)
  const file = join(dataDir, SIGNING_KEY_FILE)
  const draft = `${file}.${process.pid}`
  const { privateKey } = generateKeyPairSync('ed25519')
  const text = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  writeFileSync(draft, `${text}\n`, { mode: PRIVATE_FILE, flag: 'wx' })
  try {
    // A link, not a rename: of two processes that start at once the first one's key stands.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return makeSigningKey(dataDir)
}

/** Returns the 32 bytes of the public key that belongs to a private one. */
export const publicKeyOf = (key: KeyObject): Buffer => {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x!, 'base64url')
}

/** Returns the key that verifies what the owner of these 32 bytes signed. */
export const verifyingKey = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' })
