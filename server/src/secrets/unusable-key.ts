import { readFileSync } from 'node:fs'

/** A key of the data folder can't be read or made: a sentence for people, with what to do. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/**
 * Returns the text of a key's file; null: it is not there.
 * @throws UnusableKey where it can't be read
 */
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
