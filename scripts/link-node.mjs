import { existsSync, symlinkSync } from 'node:fs'

/**
 * Links the Node version of the lock file into node_modules/.bin, where npm scripts look first. npm 11 creates this
 * link; npm 10 and the npm 9 of Debian 12 and 13 do not. Plain JavaScript, because it runs on the machine's own Node
 * version.
 */
const link = new URL('../node_modules/.bin/node', import.meta.url)
const ours = `node-${process.platform}-${process.arch}`
if (!existsSync(link) && existsSync(new URL(`../node_modules/${ours}/bin/node`, import.meta.url))) {
  symlinkSync(`../${ours}/bin/node`, link)
}
