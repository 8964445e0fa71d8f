import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'

export interface CoveringTest {
  readonly file: string
  readonly title: string
}

export type Coverage = ReadonlyMap<string, readonly CoveringTest[]>

/** Pages whose tables list the IDs. The last column of each table is generated. */
export const PAGES = ['docs/spec-coverage.md', 'docs/security/threats.md'] as const

const ROW = /^\| ([RA]\d+(?:\.\d+)?) \| (.*) \|(?: (.*))? \|$/

export const idsIn = (page: string): string[] =>
  page.split('\n').flatMap((line) => {
    const id = ROW.exec(line)?.[1]
    return id === undefined ? [] : [id]
  })

export const filledPage = (page: string, coverage: Coverage): string =>
  page
    .split('\n')
    .map((line) => {
      const row = ROW.exec(line)
      if (row === null) return line
      const tests = (coverage.get(row[1]!) ?? []).map(({ file, title }) => `\`${file}\`: ${title}`)
      return `| ${row[1]} | ${row[2]} | ${tests.join('<br>')} |`
    })
    .join('\n')

/**
 * A `// @covers R1.2 A3` comment belongs to the test on the next line. Titles include those of the enclosing `describe`
 * blocks.
 * @throws Error if no test follows a comment
 */
export function coverageIn(file: string, source: string): { readonly id: string; readonly title: string }[] {
  const { program, comments } = parseSync(file, source)
  const titles = new Map<number, string>()
  const blocks: { readonly end: number; readonly title: string }[] = []
  new Visitor({
    ExpressionStatement({ start, end, expression }) {
      if (expression.type !== 'CallExpression') return
      const [argument] = expression.arguments
      const kind = /^(?:test\.)?describe\b|^(?:test|it)\b/.exec(source.slice(start, end))?.[0]
      if (argument === undefined || kind === undefined) return
      const title = source.slice(argument.start + 1, argument.end - 1).replaceAll(/\\(['"`])/g, '$1')
      while (blocks.length > 0 && blocks.at(-1)!.end < start) blocks.pop()
      if (kind.endsWith('describe')) blocks.push({ end, title })
      else titles.set(start, [...blocks.map((block) => block.title), title].join(' > '))
    },
  }).visit(program)
  return comments.flatMap(({ value, end }) => {
    const ids = /^ @covers (.+)$/.exec(value)?.[1]
    if (ids === undefined) return []
    const title = titles.get(end + /^\s*/.exec(source.slice(end))![0].length)
    if (title === undefined) throw new Error(`${file}: no test follows // @covers ${ids}`)
    return ids.split(' ').map((id) => ({ id, title }))
  })
}

export function readCoverage(root: string): Coverage {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts', '*.test.tsx', '*.spec.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const coverage = new Map<string, CoveringTest[]>()
  for (const file of files.trim().split('\n').toSorted()) {
    if (!existsSync(root + file)) continue
    for (const { id, title } of coverageIn(file, readFileSync(root + file, 'utf8'))) {
      coverage.set(id, [...(coverage.get(id) ?? []), { file, title }])
    }
  }
  return coverage
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const coverage = readCoverage(root)
  for (const page of PAGES) writeFileSync(root + page, filledPage(readFileSync(root + page, 'utf8'), coverage))
}
