import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

export const ADD_ONS: readonly string[] = readdirSync(join(root, 'addons'))

/** Add-ons that each module requires. The command line is no module of the server, and states them in its package.json. */
export const REQUIRES: ReadonlyMap<string, readonly string[]> = new Map([
  ...ADD_ONS.map((name) => [name, packagesOf(name)] as const),
  ...SERVER_MODULES.map(({ name, requires = [] }) => [name, requires] as const),
])

function packagesOf(addon: string): readonly string[] {
  const text = readFileSync(join(root, 'addons', addon, 'package.json'), 'utf8')
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Readonly<Record<string, string>> }
  return ADD_ONS.filter((name) => `@trainyard/${name}` in dependencies)
}

/** Returns the add-on and the add-ons that require it, also through others. */
export function withDependents(addon: string): string[] {
  const dependents = [...REQUIRES].flatMap(([name, required]) => (required.includes(addon) ? [name] : []))
  return [...new Set([addon, ...dependents.flatMap(withDependents)])]
}

/**
 * Copies the tree to a folder without some add-ons: without their folders, and without the lines of `apps/modules` that
 * name them. The copy has no browser tests, no benchmarks and no tests of `apps/server/test`, which drive the whole
 * product.
 */
export function copyWithout(addons: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true })
  const left = new Set([join(root, 'apps/server/test'), ...addons.map((name) => join(root, 'addons', name))])
  for (const entry of readdirSync(root)) {
    if (['.git', 'node_modules', 'data', 'test-results', 'e2e', 'bench'].includes(entry)) continue
    cpSync(join(root, entry), join(folder, entry), {
      recursive: true,
      filter: (path) => !left.has(path) && !/\/(?:node_modules|dist)(?:\/|$)/.test(path),
    })
  }
  linkPackages(folder)
  for (const file of globSync('apps/modules/*.{ts,tsx}', { cwd: folder })) {
    const path = join(folder, file)
    writeFileSync(path, withoutAddons(file, readFileSync(path, 'utf8'), addons))
  }
}

/** Links the installed packages, and the copy's own modules. */
function linkPackages(folder: string): void {
  const MODULES = '{platform,core/*,addons/*,apps/*}'
  for (const of of ['', ...globSync(`${MODULES}/node_modules`, { cwd: root }).map(dirname)]) {
    const [from, to] = [join(root, of, 'node_modules'), join(folder, of, 'node_modules')]
    mkdirSync(to, { recursive: true })
    for (const entry of readdirSync(from)) {
      if (entry !== '@trainyard' && entry !== '.cache' && entry !== '.vite')
        symlinkSync(realpathSync(join(from, entry)), join(to, entry))
    }
  }
  mkdirSync(join(folder, 'node_modules/@trainyard'))
  for (const of of globSync(`${MODULES}/package.json`, { cwd: folder }).map(dirname)) {
    const { name } = JSON.parse(readFileSync(join(folder, of, 'package.json'), 'utf8')) as { name: string }
    symlinkSync(join(folder, of), join(folder, 'node_modules', name))
  }
}

/** Returns a list of `apps/modules` without the imports and entries of some add-ons. */
function withoutAddons(file: string, text: string, addons: readonly string[]): string {
  const isLeft = (path: unknown): boolean =>
    typeof path === 'string' &&
    addons.some((name) => path.startsWith(`@trainyard/${name}/`) || path.startsWith(`addons/${name}/`))
  const { program } = parseSync(file, text)
  const names = new Set<string>()
  const cuts: { start: number; end: number }[] = []
  const entries: { type: string; start: number; end: number }[] = []
  const found: number[] = []
  new Visitor({
    ImportDeclaration(node) {
      if (!isLeft(node.source.value)) return
      for (const { local } of node.specifiers) names.add(local.name)
      cuts.push(node)
    },
    ArrayExpression: ({ elements }) => void entries.push(...elements.filter((each) => each !== null)),
    ObjectExpression: ({ properties }) => void entries.push(...properties),
    Literal: ({ value, start }) => void (isLeft(value) && found.push(start)),
  }).visit(program)
  new Visitor({
    Identifier: ({ name, start }) => void (names.has(name) && found.push(start)),
    JSXIdentifier: ({ name, start }) => void (names.has(name) && found.push(start)),
  }).visit(program)
  for (const at of found) {
    const around = entries
      .filter(({ start, end }) => start <= at && at < end)
      .toSorted((a, b) => a.end - a.start - (b.end - b.start))
    // A spread leaves what it is spread into.
    const entry = around[0]?.type === 'SpreadElement' ? around[0] : around.at(-1)
    if (entry !== undefined) cuts.push(entry)
  }
  const outer = cuts.filter(
    (cut, at) =>
      !cuts.some(
        (other, index) =>
          other.start <= cut.start &&
          cut.end <= other.end &&
          (index < at || other.start < cut.start || cut.end < other.end),
      ),
  )
  return outer
    .toSorted((a, b) => b.start - a.start)
    .reduce((kept, { start, end }) => kept.slice(0, start) + kept.slice(end).replace(/^,/, ''), text)
}
