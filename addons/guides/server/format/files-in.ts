import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { errorAt, UnreadableGuide } from './finding.ts'
import { GUIDE_LIMITS } from './schema.ts'

/**
 * Returns the files of a guide in a folder, without those of Git.
 * @throws UnreadableGuide if they are more, or larger, than a guide can be
 */
export function filesIn(folder: string): Map<string, Buffer> {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^\.git(?:\/|$)/.test(path))
    .map((path) => join(folder, path))
    .flatMap((path) => {
      const state = statSync(path, { throwIfNoEntry: false })
      return state?.isFile() === true ? [{ path, size: state.size }] : []
    })
  if (found.length > GUIDE_LIMITS.files)
    throw new UnreadableGuide([errorAt('', '', `The folder has more than ${GUIDE_LIMITS.files} files.`)])
  if (found.reduce((sum, { size }) => sum + size, 0) > GUIDE_LIMITS.bytes)
    throw new UnreadableGuide([errorAt('', '', 'The files of the folder are larger than 20 MB.')])
  return new Map(found.map(({ path }) => [relative(folder, path), readFileSync(path)]))
}
