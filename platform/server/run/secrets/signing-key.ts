import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { makePrivateFolder } from '../files/private-folder.ts'
import { draftKeyFile, publishKeyFile, readKeyText, replaceKeyFile, UnusableKey } from './key-file.ts'

const SIGNING_KEY_FILE = 'audit.key'

/**
 * Parses an ed25519 key: PKCS #8, DER, base64.
 * @throws Error whose message is a predicate, to follow the name of the setting or file
 */
export function readSigningKey(text: string): KeyObject {
  try {
    const key = createPrivateKey({ key: Buffer.from(text.trim(), 'base64'), format: 'der', type: 'pkcs8' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The unreadable key is reported below.
  }
  throw new Error('must be the base64 of an ed25519 key: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0')
}

/**
 * Returns the signing key of the data folder; null if no key has been created.
 * @throws UnusableKey
 */
export const signingKeyIn = (dataDir: string): KeyObject | null => readFile(dataDir)?.key ?? null

/**
 * Key that was replaced. Its signatures of later positions are not valid, because an attacker with the stolen key could
 * have made them.
 */
export interface FormerKey {
  /** Public key in hexadecimal. */
  readonly publicKey: string
  readonly lastPosition: number
}

export const formerKeysIn = (dataDir: string): readonly FormerKey[] => readFile(dataDir)?.former ?? []

/** @throws UnusableKey */
function readFile(dataDir: string): { readonly key: KeyObject; readonly former: readonly FormerKey[] } | null {
  const file = join(dataDir, SIGNING_KEY_FILE)
  const text = readKeyText(file)
  if (text === null) return null
  try {
    const [first = '', ...extra] = text.trim().split('\n')
    return { key: readSigningKey(first), former: extra.map(formerKey) }
  } catch (error) {
    throw new UnusableKey(`${file} can't be used: it ${(error as Error).message}. Restore your copy of this file.`, {
      cause: error,
    })
  }
}

function formerKey(line: string): FormerKey {
  const [, publicKey, lastPosition] = /^former:([0-9a-f]{64}):(\d+)$/.exec(line) ?? []
  if (publicKey === undefined) throw new Error(`has the line ${line}, which is not a former public key`)
  return { publicKey, lastPosition: Number(lastPosition) }
}

/** Returns the signing key of the data folder, which is created if there is none. */
export function makeSigningKey(dataDir: string): KeyObject {
  const existing = signingKeyIn(dataDir)
  if (existing !== null) return existing
  makePrivateFolder(dataDir)
  const file = join(dataDir, SIGNING_KEY_FILE)
  draftKeyFile(file, textOf(generateKeyPairSync('ed25519').privateKey, []))
  publishKeyFile(file)
  return makeSigningKey(dataDir)
}

/**
 * Replaces the key of the data folder and keeps its public key in the file.
 * @param lastPosition position of the last link that the replaced key signed
 */
export function replaceSigningKey(dataDir: string, lastPosition: number): void {
  const { key, former } = readFile(dataDir)!
  const file = join(dataDir, SIGNING_KEY_FILE)
  const replaced = { publicKey: publicKeyOf(key).toString('hex'), lastPosition }
  replaceKeyFile(file, textOf(generateKeyPairSync('ed25519').privateKey, [replaced, ...former]))
}

const textOf = (key: KeyObject, former: readonly FormerKey[]): string =>
  [
    key.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    ...former.map(({ publicKey, lastPosition }) => `former:${publicKey}:${lastPosition}`),
    '',
  ].join('\n')

/** Returns the 32 bytes of the public key. */
export const publicKeyOf = (key: KeyObject): Buffer => {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x!, 'base64url')
}

export const verifyingKey = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' })
