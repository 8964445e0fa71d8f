import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorAt, UnreadableGuide } from './finding.ts'
import { GUIDE_LIMITS } from './schema.ts'

/**
 * Returns the files of a guide in a folder by their paths with slashes, without those of Git in the folder itself.
 * Follows no links: they would add files from outside the folder.
 * @throws UnreadableGuide also if the files are more, or larger, than a guide can be
 */
export function filesIn(folder: string): Map<string, Buffer> {
  const paths: string[] = []
  let bytes = 0
  const refuse = (path: string, sentence: string): never => {
    throw new UnreadableGuide([errorAt(path, '', sentence)])
  }
  const add = (at: string) => {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = `${at}${entry.name}`
      if (path === '.git') continue
      if (entry.name.toLowerCase() === '.git') refuse(path, 'The path is not allowed.')
      if (entry.isDirectory()) add(`${path}/`)
      else if (!entry.isFile()) refuse(path, 'The folder contains a link or a device. Replace it by a file.')
      else {
        paths.push(path)
        bytes += lstatSync(join(folder, path)).size
        if (paths.length > GUIDE_LIMITS.files) refuse('', `The folder has more than ${GUIDE_LIMITS.files} files.`)
        if (bytes > GUIDE_LIMITS.bytes) refuse('', 'The files of the folder are larger than 20 MB.')
      }
    }
  }
  add('')
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path))]))
}
