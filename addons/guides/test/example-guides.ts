import { fileURLToPath } from 'node:url'
import { filesIn } from '../server/format/files-in.ts'

export const EXAMPLES = ['first-steps', 'git-basics', 'linux-users', 'web-server'] as const

/** Returns the files of an example guide. */
export const exampleFiles = (name: (typeof EXAMPLES)[number]): Map<string, Buffer> =>
  filesIn(fileURLToPath(new URL(`../examples/${name}/`, import.meta.url)))
