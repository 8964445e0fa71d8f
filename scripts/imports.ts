import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'vite'

export type Imports = ReadonlyMap<string, readonly string[]>

export function importsIn(root: string): Imports {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(root, file)))
  const knownFiles = new Set(files)
  return new Map(
    files.map((file) => {
      const importedPaths = namesIn(file, readFileSync(join(root, file), 'utf8')).map((name) => resolved(file, name))
      return [file, [...new Set(importedPaths.filter((path): path is string => path !== null && knownFiles.has(path)))]]
    }),
  )
}

function namesIn(file: string, source: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) =>
      source.slice(start, end).replaceAll(/^['"]|['"]$/g, ''),
    ),
  ]
}

function resolved(from: string, name: string): string | null {
  if (name.startsWith('.')) return normalize(join(dirname(from), name))
  const [workspace = ''] = from.split('/')
  if (/^#(src|test)\//.test(name)) return `${workspace}/${name.slice(1)}`
  const other = /^@trainyard\/([^/]+)\/(src\/|test\/)?(.+)$/.exec(name)
  return other === null ? null : `${other[1]}/${other[2] ?? 'src/'}${other[3]}`
}

/** Returns every import cycle as the list of its files (Tarjan's strongly connected components). */
export function circlesIn(imports: Imports): string[][] {
  const circles: string[][] = []
  const index = new Map<string, number>()
  const lowLinks = new Map<string, number>()
  const path: string[] = []
  const visit = (file: string) => {
    index.set(file, index.size)
    lowLinks.set(file, index.get(file)!)
    path.push(file)
    for (const next of imports.get(file) ?? []) {
      if (!index.has(next)) visit(next)
      if (path.includes(next)) lowLinks.set(file, Math.min(lowLinks.get(file)!, lowLinks.get(next)!))
    }
    if (lowLinks.get(file) !== index.get(file)) return
    const circle = path.splice(path.indexOf(file))
    if (circle.length > 1) circles.push(circle)
  }
  for (const file of imports.keys()) if (!index.has(file)) visit(file)
  return circles
}
