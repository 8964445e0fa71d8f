import { fileURLToPath } from 'node:url'
import { filesIn } from '../server/format/files-in.ts'

export const EXAMPLES = [
  'backup',
  'desktop',
  'first-steps',
  'git-basics',
  'linux-users',
  'log-analysis',
  'processes',
  'web-server',
  'web-service',
] as const

/** Returns the files of an example guide. */
export const exampleFiles = (name: (typeof EXAMPLES)[number]): Map<string, Buffer> =>
  filesIn(fileURLToPath(new URL(`../examples/${name}/`, import.meta.url)))
