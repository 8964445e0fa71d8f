import { randomBytes } from 'node:crypto'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, PRIVATE_FILE } from '../files/private-folder.ts'
import type { SealKey } from './seal.ts'
import { readKeyText, UnusableKey } from './unusable-key.ts'

/** @throws Error whose message continues the setting's name */
export function readKeyList(list: string): [SealKey, ...SealKey[]] {
  const keys = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry): SealKey => {
      const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry)
      if (match?.[1] === undefined || match[2] === undefined) {
        throw new Error('must be a list of id:key, each key the base64 of 32 bytes.')
      }
      return { id: match[1], bytes: Buffer.from(match[2], 'base64') }
    })
  const [first, ...rest] = keys
  if (first === undefined) throw new Error('must hold at least one id:key.')
  if (new Set(keys.map((k) => k.id)).size !== keys.length) throw new Error('names the same key id twice.')
  return [first, ...rest]
}

/**
 * Creates the key on first use. Without it, stored passwords cannot be decrypted.
 * @throws UnusableKey
 */
export function readKeyFile(dataDir: string): [SealKey, ...SealKey[]] {
  const file = join(dataDir, 'secret.key')
  const text = readKeyText(file)
  try {
    if (text !== null) return readKeyList(text)
  } catch (error) {
    throw new UnusableKey(`${file} can't be used: it ${(error as Error).message} Restore your copy of this file.`, {
      cause: error,
    })
  }
  const draft = `${file}.${process.pid}`
  try {
    makePrivateFolder(dataDir)
    writeFileSync(draft, `installation:${randomBytes(32).toString('base64')}\n`, { mode: PRIVATE_FILE, flag: 'wx' })
  } catch (error) {
    throw new UnusableKey(
      `${file} can't be made: ${(error as Error).message}. Set TRAINYARD_DATA to a folder that this account may write in.`,
      { cause: error },
    )
  }
  try {
    // A link, not a rename: if two processes start concurrently, the key of the first is used by both.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readKeyFile(dataDir)
}
