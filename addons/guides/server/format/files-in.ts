import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Returns the files of a guide in a folder. */
export function filesIn(folder: string): Map<string, Buffer> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => statSync(path).isFile())
      .map((path) => [relative(folder, path), readFileSync(path)]),
  )
}
