import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
export const signingKeyIn = (dataDir: string): KeyObject | null => readFile(dataDir)?.key ?? null

/** A replaced key. Signatures of later positions are not valid, because a stolen key could have made them. */
export interface FormerKey {
  /** Hexadecimal. */
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
    const [first = '', ...more] = text.trim().split('\n')
    return { key: readSigningKey(first), former: more.map(formerKey) }
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

export function makeSigningKey(dataDir: string): KeyObject {
  const there = signingKeyIn(dataDir)
  if (there !== null) return there
  makePrivateFolder(dataDir)
  const file = join(dataDir, SIGNING_KEY_FILE)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, textOf(generateKeyPairSync('ed25519').privateKey, []), { mode: PRIVATE_FILE, flag: 'wx' })
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

/**
 * Replaces the key of the data folder and keeps its public key in the file.
 * @param lastPosition position of the last link that the replaced key signed
 */
export function replaceSigningKey(dataDir: string, lastPosition: number): void {
  const { key, former } = readFile(dataDir)!
  const file = join(dataDir, SIGNING_KEY_FILE)
  const draft = `${file}.${process.pid}`
  const replaced = { publicKey: publicKeyOf(key).toString('hex'), lastPosition }
  writeFileSync(draft, textOf(generateKeyPairSync('ed25519').privateKey, [replaced, ...former]), { mode: PRIVATE_FILE })
  renameSync(draft, file)
}

const textOf = (key: KeyObject, former: readonly FormerKey[]): string =>
  [
    key.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    ...former.map(({ publicKey, lastPosition }) => `former:${publicKey}:${lastPosition}`),
    '',
  ].join('\n')

export const publicKeyOf = (key: KeyObject): Buffer => {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x!, 'base64url')
}

export const verifyingKey = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' })
