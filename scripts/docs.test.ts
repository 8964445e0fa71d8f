import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root, encoding: 'utf8' })
const pages = listed
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))
  .map((file) => ({ file, text: read(file) }))
const textOf = (file: string) => pages.find((page) => page.file === file)!.text

/** Pages whose tables are generated or have a row per requirement. */
const TABLES = /^docs\/(spec-coverage|third-party-licences|security\/(asvs|threats))\.md$/
/** Pages that must match the current code. Decision records describe the code at the time of the decision. */
const PRESENT = pages.filter(({ file }) => !TABLES.test(file) && !file.startsWith('docs/decisions/'))

/** Returns the anchors of a page's headings, as GitHub derives them. */
const anchorsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every relative link leads to a file, and to a heading if it names one', () => {
  const brokenLinks = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, path, anchor]) => {
      const target = path === '' ? file : join(dirname(file), path!)
      if (!existsSync(join(root, target))) return `${file}: ${link}`
      if (anchor === undefined || !target.endsWith('.md')) return []
      return anchorsIn(read(target)).includes(anchor) ? [] : `${file}: ${link}`
    }),
  )
  expect(brokenLinks).toEqual([])
})

test('every screenshot in docs/screens is shown on a page', () => {
  const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'docs/screens'], { cwd: root }).toString()
  const files = names
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(root, file)))
  const allText = pages.map(({ text }) => text).join('\n')
  expect(files.filter((file) => !allText.includes(`screens/${file.slice('docs/screens/'.length)})`))).toEqual([])
})

test('every npm script that a page names exists', () => {
  const scriptsOf = (workspace: string) =>
    Object.keys((JSON.parse(read(join(workspace, 'package.json'))) as { scripts?: object }).scripts ?? {})
  const unknown = PRESENT.flatMap(({ file, text }) =>
    [...text.matchAll(/npm run (?:--silent )?([a-z][\w-]*)(?: -w (\w+))?/g)]
      .filter(([, name, workspace = '']) => !scriptsOf(workspace).includes(name!))
      .map(([command]) => `${file}: ${command}`),
  )
  expect(unknown).toEqual([])
})

test('every source file that a page names exists', () => {
  const references = PRESENT.flatMap(({ file, text }) =>
    [...text.matchAll(/`((?:contract|server|web|e2e|emulator|bench|scripts|tools|deploy|docs)\/[\w./-]+)`/g)].map(
      ([, path]) => ({ file, path: path! }),
    ),
  )
  expect(references.length).toBeGreaterThan(150)
  expect(references.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

test('the settings page has a row for every environment variable, and no other rows', () => {
  const variables = [...read('server/src/config/environment.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, n]) => n!)
  const rows = textOf('docs/operate/settings.md').matchAll(/^\| ([A-Z][A-Z_, ]+) \|/gm)
  const documented = [...rows].flatMap(([, names]) => names!.split(', '))
  // INIT_CWD is set by npm, the other two are read by tests only.
  const expected = [...variables.filter((name) => name !== 'INIT_CWD'), 'AZURE_OPENAPI', 'AZURE_RECORDED']
  expect(documented.toSorted()).toEqual(expected.toSorted())
})

test('the stack page names every dependency', () => {
  const names = ['', 'contract', 'server', 'emulator', 'web', 'e2e', 'bench'].flatMap((workspace) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      read(join(workspace, 'package.json')),
    ) as Record<string, object | undefined>
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  })
  const rows = textOf('docs/stack.md').matchAll(/^\| ([^|]+) \|/gm)
  const documented = new Set([...rows].flatMap(([, cell]) => cell!.replaceAll(/ \([^)]*\)/g, '').split(/, and |, /)))
  expect(names.filter((name) => !name.startsWith('@trainyard/') && !documented.has(name))).toEqual([])
})

test('a page has at most 2,500 words, so that it has one topic', () => {
  const lengths = PRESENT.map(({ file, text }) => ({ file, words: text.match(/\S*[\p{L}\d]\S*/gu)!.length }))
  expect(lengths.filter(({ words }) => words > 2_500)).toEqual([])
})
