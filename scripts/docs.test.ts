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
