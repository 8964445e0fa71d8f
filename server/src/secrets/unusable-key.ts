import { readFileSync } from 'node:fs'

export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/** @throws UnusableKey if the file exists and cannot be read */
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
