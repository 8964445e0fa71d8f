import { existsSync, symlinkSync } from 'node:fs'

/**
 * Links the lock file's Node into node_modules/.bin, because npm 9 and 10 do not. Runs with the Node that is installed.
 */
const link = new URL('../node_modules/.bin/node', import.meta.url)
const ours = `node-${process.platform}-${process.arch}`
if (!existsSync(link) && existsSync(new URL(`../node_modules/${ours}/bin/node`, import.meta.url))) {
  symlinkSync(`../${ours}/bin/node`, link)
}
