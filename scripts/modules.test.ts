import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import { REQUIRES } from './leave-out.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The core in import order: each module may import those before it. */
const CORE = SERVER_MODULES.map(({ name }) => name).filter((name) => existsSync(`${root}core/${name}`))

const folders = globSync('{platform,core/*,addons/*,apps/*,e2e,bench}/package.json', { cwd: root }).map(dirname)
const folderOf = new Map(folders.map((folder) => [`@trainyard/${folder.split('/').at(-1)!}`, folder]))
const moduleOf = (file: string): string | undefined => folders.find((folder) => file.startsWith(`${folder}/`))
const isTest = (file: string): boolean => /\.test\.tsx?$|(^|\/)test-[^/]*$|\/test\//.test(file)

const files = globSync('{platform,core,addons,apps}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (path) => /node_modules|dist$/.test(path),
}).toSorted()
const imports = new Map(files.map((file) => [file, importedBy(file)]))

function importedBy(file: string): string[] {
  const source = read(file)
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
  ]
  const paths = names.map((name) => {
    if (name.startsWith('.')) return normalize(join(dirname(file), name))
    const [, owner = '', path = ''] = /^(@trainyard\/[^/]+)\/(.+)$/.exec(name) ?? []
    const folder = folderOf.get(owner)
    return folder === undefined ? '' : `${folder}/${path}`
  })
  return [...new Set(paths.filter((path) => files.includes(path)))]
}

/** Returns the add-ons that an add-on requires, also through others. */
const required = (name: string): readonly string[] =>
  (REQUIRES.get(name) ?? []).flatMap((each) => [each, ...required(each)])

/** Returns whether a module may import another, and write its tables. */
function mayImport(from: string, to: string): boolean {
  const [fromKind, fromName = ''] = from.split('/')
  const [toKind, toName = ''] = to.split('/')
  if (from === to || toKind === 'platform' || fromKind === 'apps') return true
  if (toKind === 'core')
    return fromKind === 'addons' || (fromKind === 'core' && CORE.indexOf(toName) < CORE.indexOf(fromName))
  return toKind === 'addons' && fromKind === 'addons' && required(fromName).includes(toName)
}

const part = (file: string): string => file.slice(moduleOf(file)!.length + 1).split(/[/.]/)[0]!

/** Tests of several add-ons, which drive the whole product. */
const OF_PRODUCT = 'apps/server/test/'

/** Returns whether the file of a test may import another: all but add-ons that its module does not require. */
const mayTest = (from: string, to: string): boolean =>
  !to.startsWith('addons/') ||
  from.startsWith(OF_PRODUCT) ||
  (!from.startsWith('apps/') && mayImport(moduleOf(from)!, moduleOf(to)!))

function refusalOf(from: string, to: string): string | null {
  if (to.startsWith(OF_PRODUCT) && !from.startsWith(OF_PRODUCT))
    return `${from} imports ${to}, a test of the whole product.`
  if (isTest(from)) return mayTest(from, to) ? null : `${from} tests without ${moduleOf(to)}, and imports ${to}.`
  if (isTest(to)) return `${from} serves no test, and imports ${to}, which does.`
  if (!mayImport(moduleOf(from)!, moduleOf(to)!)) return `${from} imports ${to}.`
  const isInBrowser = ['web', 'contract'].includes(part(from)) && !from.startsWith('apps/')
  return isInBrowser && !['web', 'contract'].includes(part(to)) ? `${from} runs in a browser, and imports ${to}.` : null
}

test('a file imports only what its module may know', () => {
  expect([...imports].flatMap(([from, all]) => all.flatMap((to) => refusalOf(from, to) ?? []))).toEqual([])
})

const REFUSED = [
  ['the platform importing the core', 'platform/server/db/migrate.ts', 'core/users/server/role.ts'],
  ['the core importing an add-on', 'core/machines/server/power.ts', 'addons/budgets/server/spent.ts'],
  ['a core module importing a later one', 'core/users/server/role.ts', 'core/machines/server/power.ts'],
  ['an add-on importing one that it does not require', 'addons/budgets/server/spent.ts', 'addons/lti/server/launch.ts'],
  ['a module importing apps', 'core/users/server/role.ts', 'apps/server/build-app.ts'],
  ['the browser importing the server', 'core/users/web/People.tsx', 'core/users/server/role.ts'],
  ['a test of the core importing an add-on', 'core/machines/server/power.test.ts', 'addons/budgets/server/spent.ts'],
] as const

// A copy of the tree may be without some add-ons.
const refused = REFUSED.filter(([, ...paths]) => paths.every((path) => moduleOf(path) !== undefined))
test.each(refused)('refuses %s', (_what, from, to) => {
  expect([existsSync(join(root, from)), existsSync(join(root, to))]).toEqual([true, true])
  expect(refusalOf(from, to)).not.toBeNull()
})

test('no file imports itself, directly or through others', () => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const next of imports.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

const SQL_FILES = '{platform,core/*,addons/*}/{tables,migrations/*}.sql'

/** Owner of each table. */
const owners = new Map(
  globSync(SQL_FILES, { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(
      ([, table]) => [table!, dirname(file).replace(/\/migrations$/, '')] as const,
    ),
  ),
)

/** Core modules may read each other's tables, in files that have only statements and in functions. */
const READS_LATER = /\/(?:(?:queries|invariants|gauges)\.ts|tables\.sql|migrations\/[^/]+\.sql)$/

function tablesNamedBy(file: string, text: string): string[] {
  const owner = moduleOf(file)!
  return [...owners].flatMap(([table, of]) => {
    if (mayImport(owner, of)) return []
    const name = String.raw`(?:only\s+)?${table}\b(?!\()`
    const writes = new RegExp(
      String.raw`\b(?:into|update|delete from|alter table)\s+${name}|(?:insertInto|updateTable|deleteFrom)\('${table}\b`,
    )
    const reads = new RegExp(
      String.raw`\b(?:from|join|using|references${file.endsWith('.sql') ? '|on' : ''})\s+${name}|(?:selectFrom|from|using|[jJ]oin)\(\[?\s*'${table}\b`,
    )
    const isOfCore = owner.startsWith('core/') && of.startsWith('core/')
    const isRefused = writes.test(text) || (reads.test(text) && !(isOfCore && READS_LATER.test(file)))
    return isRefused ? [`${file} names ${table} of ${of}.`] : []
  })
}

test('SQL names only tables of modules that its module may know', () => {
  const served = files.filter((file) => /^(?:platform|core\/[^/]+|addons\/[^/]+)\/server/.test(file) && !isTest(file))
  const tables = globSync(SQL_FILES, { cwd: root })
  const withoutComments = (text: string): string => text.replaceAll(/^\s*(?:\/\/|\*|\/\*\*|--).*$/gm, '')
  expect([...served, ...tables].flatMap((file) => tablesNamedBy(file, withoutComments(read(file))))).toEqual([])
  const foreign = tablesNamedBy('platform/server/db/client.ts', 'select from portal_user')
  expect(foreign).toEqual(['platform/server/db/client.ts names portal_user of core/users.'])
})

test('each module is in every list for which it has a file', () => {
  const lists = {
    'server.ts': 'server.ts',
    'web.ts': 'web.ts',
    'web.tsx': 'web.ts',
    'emulator/part.ts': 'emulator.ts',
    'server/environment.ts': 'settings.ts',
  }
  const missing = Object.entries(lists).flatMap(([own, list]) => {
    const text = read(`apps/modules/${list}`)
    return globSync(`{core,addons}/*/${own}`, { cwd: root }).filter(
      (file) => !text.includes(`'@trainyard/${file.split('/').slice(1).join('/')}'`),
    )
  })
  expect(missing).toEqual([])
})
