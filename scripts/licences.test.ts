import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { licenceTextOf, PAGE, packagesIn, pageOf, readLock, REVIEWED } from './licences.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

test('the page lists every production package of the lock file: `npm run licences` writes it', () => {
  // A boolean keeps the failure short: the page has hundreds of rows.
  expect(readFileSync(root + PAGE, 'utf8') === pageOf(packagesIn(readLock(root)))).toBe(true)
})

test('lists each version of a package once, and no development packages or workspaces', () => {
  const packages = {
    '': { version: '1.0.0' },
    'node_modules/@trainyard/web': { link: true },
    'node_modules/b': { version: '2.0.0', license: 'ISC' },
    'node_modules/a/node_modules/b': { version: '1.0.0', license: 'MIT' },
    'node_modules/c/node_modules/b': { version: '1.0.0', license: 'MIT' },
    'node_modules/alias': { name: 'd', version: '1.0.0', license: 'MIT' },
    'node_modules/e': { version: '1.0.0', dev: true },
  }
  expect(packagesIn({ packages })).toEqual([
    { name: 'b', version: '1.0.0', licence: 'MIT' },
    { name: 'b', version: '2.0.0', licence: 'ISC' },
    { name: 'd', version: '1.0.0', licence: 'MIT' },
  ])
})

test('rejects a package without a licence', () => {
  expect(() => packagesIn({ packages: { 'node_modules/x': { version: '1.0.0' } } })).toThrow('The licence of x')
})

test('reviewed licences are needed, and match the LICENSE file if the package is installed', () => {
  const withoutLicence = Object.entries(readLock(root).packages).filter(([, { license }]) => license === undefined)
  const names = new Set(withoutLicence.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13)))
  expect(Object.keys(REVIEWED).filter((name) => !names.has(name))).toEqual([])
  const texts = Object.keys(REVIEWED).map((name) => licenceTextOf(root, name))
  // The first words of the MIT licence, the only one reviewed so far.
  const isMit = (text: string | null) => text === null || text.includes('Permission is hereby granted, free of charge')
  expect(texts.filter((text) => !isMit(text))).toEqual([])
})
