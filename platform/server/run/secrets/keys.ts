import { createHash, randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../files/private-folder.ts'
import { draftKeyFile, publishKeyFile, readKeyText, replaceKeyFile, UnusableKey } from './key-file.ts'
import type { SealKey, SealKeys } from './seal.ts'

const KEY_FILE = 'secret.key'

export const hasKeyFile = (dataDir: string): boolean => existsSync(join(dataDir, KEY_FILE))

/** ID in every key file that earlier versions created, although the keys differ. */
const FORMER_ID = 'installation'

/**
 * Returns the ID of a key, which is a part of its hash, so that two keys never share an ID and the ID does not reveal
 * the key.
 */
const idOf = (bytes: Buffer): string =>
  `k-${createHash('sha256').update('trainyard key id').update(bytes).digest('hex').slice(0, 12)}`

/**
 * Parses `id:base64,id:base64`. Keys can also be separated by line breaks.
 * @throws Error whose message is a predicate, to follow the name of the setting or file
 */
export function readKeyList(list: string): SealKeys {
  const keys = list
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry): SealKey => {
      const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry)
      if (match?.[1] === undefined || match[2] === undefined) {
        throw new Error('must be a list of id:key, each key the base64 of 32 bytes.')
      }
      const bytes = Buffer.from(match[2], 'base64')
      return match[1] === FORMER_ID ? { id: idOf(bytes), formerId: FORMER_ID, bytes } : { id: match[1], bytes }
    })
  const [first, ...rest] = keys
  if (first === undefined) throw new Error('must hold at least one id:key.')
  if (new Set(keys.map((k) => k.id)).size !== keys.length) throw new Error('names the same key id twice.')
  return [first, ...rest]
}

/**
 * Returns the keys of the file secret.key, which is created on first use.
 * @throws UnusableKey
 */
export function readKeyFile(dataDir: string): SealKeys {
  const file = join(dataDir, KEY_FILE)
  const text = readKeyText(file)
  try {
    if (text !== null) return readKeyList(text)
  } catch (error) {
    throw new UnusableKey(`${file} can't be used: it ${(error as Error).message} Restore your copy of this file.`, {
      cause: error,
    })
  }
  try {
    makePrivateFolder(dataDir)
    draftKeyFile(file, textOf([newKey()]))
  } catch (error) {
    throw new UnusableKey(
      `${file} can't be made: ${(error as Error).message}. Set TRAINYARD_DATA to a folder that this account may write in.`,
      { cause: error },
    )
  }
  publishKeyFile(file)
  return readKeyFile(dataDir)
}

export function newKey(): SealKey {
  const bytes = randomBytes(32)
  return { id: idOf(bytes), bytes }
}

const textOf = (keys: readonly SealKey[]): string =>
  keys.map(({ id, formerId, bytes }) => `${formerId ?? id}:${bytes.toString('base64')}\n`).join('')

export const writeKeyFile = (dataDir: string, keys: SealKeys): void =>
  replaceKeyFile(join(dataDir, KEY_FILE), textOf(keys))

/** Maximum time in milliseconds until a running process uses a changed key file. */
export const KEY_FILE_DELAY_MS = 1_000

/** Returns a function that returns the current keys of the file, also after another process has rotated them. */
export function followKeyFile(dataDir: string, keys: SealKeys): () => SealKeys {
  const file = join(dataDir, KEY_FILE)
  const versionOf = () => {
    const { ino, mtimeMs, size } = statSync(file)
    return `${ino} ${mtimeMs} ${size}`
  }
  let current = keys
  let version = ''
  let checkedAt = -KEY_FILE_DELAY_MS
  return () => {
    if (performance.now() - checkedAt < KEY_FILE_DELAY_MS) return current
    checkedAt = performance.now()
    try {
      const found = versionOf()
      if (found !== version) [current, version] = [readKeyFile(dataDir), found]
    } catch {
      // The file is missing or unusable. The last keys still decrypt the stored secrets, so they remain in use.
    }
    return current
  }
}
