import { describe, expect, test } from 'vitest'
import type { GuideNode } from '../../contract/guide-text.ts'
import { exampleFiles } from '../../test/example-guides.ts'
import { readGuide } from '../format/read-guide.ts'
import { fillVariables, parseText } from './parse-text.ts'

const NOTHING = { file: 't.md', guide: {}, step: {} }
const parse = (markdown: string) => parseText(markdown, NOTHING)
const sentences = (markdown: string) => parse(markdown).findings.map(({ sentence }) => sentence)
const all = (nodes: readonly GuideNode[]): GuideNode[] => nodes.flatMap((node) => [node, ...all(node.children ?? [])])
const plain = (nodes: readonly GuideNode[]): string =>
  all(nodes)
    .map(({ text = '' }) => text)
    .join('')
const tags = (markdown: string) => all(parse(markdown).nodes).map(({ tag }) => tag)

test('a step of an example becomes a tree with its tasks, alerts and buttons', () => {
  const files = exampleFiles('linux-users')
  const { guide } = readGuide(files)
  const step = guide.steps[0]!
  const { nodes, findings } = parseText(files.get(step.text)!.toString(), { file: step.text, guide, step })
  expect(findings).toEqual([])
  const found = all(nodes)
  expect(found.filter(({ tag }) => tag === 'task').map(({ id }) => id)).toEqual(['account-ada', 'group-project'])
  expect(found.filter(({ action }) => action === 'run').map(({ tag, text }) => [tag, text])).toEqual([
    ['fence', "awk -F: '$3 >= 1000 && $3 < 60000 {print $1, $3, $6, $7}' /etc/passwd"],
    ['code', 'id ben'],
    ['code', 'id ada'],
  ])
  expect(found.find(({ tag }) => tag === 'quote')).toMatchObject({ alert: 'note' })
  expect(plain(nodes)).not.toMatch(/\[!NOTE\]|\{run\}/)
})

test('details contain what stands between them', () => {
  const { nodes, findings } = parse('<details><summary>Why <kbd>x</kbd>?</summary>\n\n- one\n\n</details>\n\nAfter')
  expect(findings).toEqual([])
  expect(nodes.map(({ tag }) => tag)).toEqual(['details', 'paragraph'])
  expect(nodes[0]!.children!.map(({ tag }) => tag)).toEqual(['summary', 'list'])
  expect(sentences('- <details>\n\n  text\n\nafter')).toEqual(['The element details is not closed.'])
})

test('a task is shown once, and at the end if the text does not place it', () => {
  const step = { tasks: [{ id: 'a' }, { id: 'b' }] } as never
  const { nodes, findings } = parseText('::task{a}\n\n::task{a}', { ...NOTHING, step })
  expect(nodes).toEqual([
    { tag: 'task', id: 'a' },
    { tag: 'task', id: 'b' },
  ])
  expect(findings).toHaveLength(2)
  expect(parseText('Now:\n::task{a}\n\n::task{b}', { ...NOTHING, step }).findings[0]!.sentence).toBe(
    '::task{a} is no paragraph of its own: put empty lines around it. It is shown at the end.',
  )
})

test('a table has a head', () => {
  expect(tags('| a | b |\n| --- | --- |\n| 1 | 2 |').filter((tag) => tag === 'cell')).toHaveLength(4)
})

describe('what is not allowed', () => {
  test.each([
    '<script>alert(1)</script>',
    'Text <script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<iframe src="https://example.com"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '<kbd onclick="alert(1)">x</kbd>',
    '<details open ontoggle=alert(1)>\n\nx\n\n</details>',
    '<style>body { display: none }</style>',
    '<!-- comment -->',
  ])('%j is shown as text', (markdown) => {
    const { nodes, findings } = parse(markdown)
    expect(plain(nodes)).toContain(markdown.replace('Text ', '').slice(0, 6))
    expect(findings.length).toBeGreaterThan(0)
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://example.com',
    '//example.com',
    'https://a:b@example.com',
    '#top',
    'file:///etc/passwd',
    'JaVaScRiPt:alert(1)',
    'vbscript:x',
  ])('a link to %s keeps only its text', (href) => {
    const { nodes, findings } = parse(`[words](<${href}>)`)
    expect(all(nodes).some(({ tag }) => tag === 'link')).toBe(false)
    expect(plain(nodes)).toBe('words')
    expect(findings).toHaveLength(1)
  })

  test('images become their alternative text', () => {
    expect(plain(parse('![a drawing](https://example.com/x.svg)').nodes)).toBe('a drawing')
  })

  test.each([
    'https://example.com/a.png',
    '//example.com/a.png',
    'data:image/png;base64,iVBORw0KGgo=',
    'javascript:alert(1)',
    '../../etc/passwd',
    '../images/b.svg',
    '../images/none.png',
    '../checks/a.sh',
    '../images/c.bin',
  ])('a picture at %s becomes its text', (source) => {
    const files = new Map([
      ['images/b.svg', Buffer.from('<svg/>')],
      ['checks/a.sh', Buffer.from('#!/bin/bash')],
      ['images/c.bin', Buffer.from('GIF8')],
    ])
    const { nodes, findings } = parseText(`![a drawing](<${source}>)`, { ...NOTHING, file: 'steps/t.md', files })
    expect([plain(nodes), findings.length]).toEqual(['a drawing', 1])
    expect(all(nodes).map(({ tag }) => tag)).not.toContain('image')
  })
})

describe('hidden characters', () => {
  test('a right-to-left override in code to run is shown, and the code has no button', () => {
    const { nodes, findings } = parse('```bash run\nls \u202E # fr- mr\n```')
    expect(nodes).toEqual([{ tag: 'fence', text: 'ls [U+202E] # fr- mr' }])
    expect(findings).toHaveLength(1)
  })

  test.each(['\u001B[2K', '\u0003', '\u200B', '\u00A0', '\uFEFF', '\u{E0041}', '\u3164', 'a\tb'])(
    '%j is not typed',
    (hidden) => {
      const code = parse(`\`\`\`run\nls${hidden}x\n\`\`\``).nodes[0]!
      expect(code.action).toBeUndefined()
      expect(code.text).not.toContain('\u001B')
    },
  )

  test('text shows them too', () => {
    expect(plain(parse('a\u202Eb\u200Bc').nodes)).toBe('a[U+202E]b[U+200B]c')
    expect(plain(parse('क्\u200Dष').nodes)).toBe('क्\u200Dष')
  })
})

test.each([
  ['```sh run\n```', 'The code to run is empty.'],
  ['```sh run\n$ ls\n```', 'The prompt $ is typed with the command. Leave it out.'],
  ['```sh run\nls \\\n```', 'The code to run ends within a command, so that the terminal waits for the rest.'],
])('the code %j cannot be run', (markdown, sentence) => {
  expect(sentences(markdown)).toEqual([sentence])
  expect(sentences(markdown.replace('run', 'copy'))).toEqual([])
})

test('a variable is text, whatever it contains', () => {
  const { nodes } = parseText('**{{x}}** `{{x}}`', { ...NOTHING, guide: { variables: [{ name: 'x' }] } })
  const filled = fillVariables(nodes, { x: '<script> **b** {{x}}' })
  expect(plain(filled)).toBe('<script> **b** {{x}} <script> **b** {{x}}')
})

test.each([
  ['nested quotes', '>'.repeat(9_000)],
  ['nested lists', Array.from({ length: 120 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n')],
  ['brackets', '['.repeat(9_000)],
  ['emphasis', '*a **a '.repeat(1_200)],
  ['links', '[a]('.repeat(2_200)],
  ['code', '`'.repeat(4_000) + ' ' + '``a'.repeat(1_500)],
  ['tables', `${'|a'.repeat(4_000)}\n${'|-'.repeat(4_000)}\n${'|b'.repeat(4_000)}`],
  ['elements', '<kbd>'.repeat(1_900)],
  ['empty lines to run', `\`\`\`run\n${'\n'.repeat(250_000)}x\n\`\`\``],
  ['many lines', '- [x](<y> ![z](`\n'.repeat(14_000)],
])('%s are parsed within four seconds of work', (_name, markdown) => {
  const before = process.threadCpuUsage()
  JSON.stringify(parse(markdown))
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(4_000)
})

/** Returns the paths of the pictures in a text. */
const picturesIn = (nodes: readonly GuideNode[]): string[] =>
  nodes.flatMap(({ tag, href, children = [] }) => [
    ...(tag === 'image' && href !== undefined ? [href] : []),
    ...picturesIn(children),
  ])

test('pictures of the guide are found from the folder of the text, also from a translation', () => {
  const files = new Map([['images/a.png', Buffer.from('iVBORw0KGgo=', 'base64')]])
  const pictures = (file: string, markdown: string) => {
    const { nodes, findings } = parseText(markdown, { ...NOTHING, file, files })
    return [picturesIn(nodes), findings.length]
  }
  for (const file of ['steps/1.md', 'i18n/de/steps/1.md'])
    expect(pictures(file, '![The window](../images/a.png)')).toEqual([['images/a.png'], 0])
  expect(pictures('1.md', '![The window](/images/a.png)')).toEqual([['images/a.png'], 0])
  // The text for those who cannot see it is missing.
  expect(pictures('1.md', '![](images/a.png)')).toEqual([['images/a.png'], 1])
})
