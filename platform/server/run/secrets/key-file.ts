import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { PRIVATE_FILE } from '../files/private-folder.ts'

/** A key file that cannot be read, created or parsed. The message tells the operator what to do. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/** Returns the text of a key file; null if the file does not exist. @throws UnusableKey if the file cannot be read */
export function readKeyText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new UnusableKey(
      `${file} can't be read: ${message}. Set TRAINYARD_DATA to a folder that this account may read.`,
      {
        cause: error,
      },
    )
  }
}

const draftOf = (file: string): string => `${file}.${process.pid}`

/** Writes the draft of a new key file, which `publishKeyFile` moves to its name. */
export function draftKeyFile(file: string, text: string): void {
  writeFileSync(draftOf(file), text, { mode: PRIVATE_FILE, flag: 'wx' })
}

/**
 * Gives the draft its name, unless the file exists. Creates a link instead of renaming: if two processes start
 * concurrently, both use the key of the first one.
 */
export function publishKeyFile(file: string): void {
  try {
    linkSync(draftOf(file), file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draftOf(file))
  }
}

/** Replaces a key file atomically, so that no process reads an incomplete file. */
export function replaceKeyFile(file: string, text: string): void {
  writeFileSync(draftOf(file), text, { mode: PRIVATE_FILE })
  renameSync(draftOf(file), file)
}
