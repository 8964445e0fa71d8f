import { existsSync, symlinkSync } from 'node:fs'

/**
 * Puts the lock file's Node where npm's scripts look first. npm 11 does so by itself; the 9 of Debian 12 and 13, and
 * npm 10, leave this one link out. It runs on whichever Node the machine has, and so is no TypeScript.
 */
const link = new URL('../node_modules/.bin/node', import.meta.url)
const ours = `node-${process.platform}-${process.arch}`
if (!existsSync(link) && existsSync(new URL(`../node_modules/${ours}/bin/node`, import.meta.url))) {
  symlinkSync(`../${ours}/bin/node`, link)
}
