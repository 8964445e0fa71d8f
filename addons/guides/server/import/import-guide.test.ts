import { describe, expect, test } from 'vitest'
import foreign from '../../test/foreign-guides.json' with { type: 'json' }
import { readGuide } from '../format/read-guide.ts'
import { importGuide } from './import-guide.ts'

const filesOf = (files: Readonly<Record<string, string>>): Map<string, Buffer> =>
  new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))

const linesOf = (files: ReadonlyMap<string, Buffer>, path: string): string => files.get(path)!.toString()

interface Sample {
  readonly expected: { readonly format: string; readonly unmapped: Readonly<Record<string, number>> }
  readonly files: Readonly<Record<string, string>>
}

test.each(Object.entries(foreign as unknown as Record<string, Sample>))(
  'counts what %s contains',
  (name, { expected, files }) => {
    const [, folder = ''] = name.split(/\/(.*)/)
    const { format, counts, notes } = importGuide(filesOf(files), folder)
    const unmapped = Object.fromEntries(
      [...Map.groupBy(notes, ({ kind }) => kind)].flatMap(([kind, all]) =>
        kind === 'note' ? [] : [[kind, all.length]],
      ),
    )
    const { solvedTasks: solved_tasks, solveScripts: solve_scripts, ...rest } = counts
    expect({ format, ...rest, solved_tasks, solve_scripts, unmapped }).toEqual(expected)
  },
)

const index = (more: object, steps: readonly object[] = []) =>
  JSON.stringify({ title: 'Notes', description: 'Notes', details: { steps, ...more }, backend: { imageid: 'ubuntu' } })

describe('a guide of Killercoda', () => {
  const files = {
    'index.json': index({ assets: { host01: [{ file: '**/*.html', target: '/srv' }] } }, [
      { title: 'Say hello', text: 'one.md', verify: 'verify.sh', background: 'prepare.sh' },
    ]),
    'one.md': 'Type `ls`{{exec}}\n\n```\nfirst\n```{{exec interrupt}}\n\n~~~\n`not`{{exec}}\n~~~\n',
    'verify.sh': 'fail-message "No file"\n',
    'prepare.sh': '#!/bin/sh\ntrue\n',
    'assets/page/index.html': '<p>',
  }
  const imported = importGuide(filesOf(files))

  test('becomes one that can be stored', () => {
    const { guide } = readGuide(imported.files)
    expect(guide).toMatchObject({
      id: 'notes',
      files: [{ from: 'files/page-index.html', to: '/srv/page/index.html' }],
      steps: [
        {
          title: 'Say hello',
          setup: [{ run: 'setups/prepare.sh' }],
          tasks: [{ id: 'say-hello', checks: [{ run: 'checks/verify.sh', exit: 'loose' }] }],
        },
      ],
    })
  })

  test('keeps its buttons, and no example of one', () => {
    expect(linesOf(imported.files, 'steps/01-say-hello.md')).toBe(
      'Type `ls`{run}\n\n```sh run interrupt\nfirst\n```\n\n```\n`not`{{exec}}\n```\n\n::task{say-hello}\n',
    )
  })

  test('keeps the options of the first line, and gets an ID of its own in any script', () => {
    const strict = importGuide(filesOf({ ...files, 'verify.sh': '#!/bin/bash -e\ngrep x f\n' }))
    expect(linesOf(strict.files, 'checks/verify.sh')).toBe('#!/bin/bash\nset -e\ngrep x f\n')
    const ids = ['नोट्स', '笔记'].map(
      (title) =>
        readGuide(importGuide(filesOf({ ...files, 'index.json': files['index.json'].replace('Notes', title) })).files)
          .guide.id,
    )
    expect(new Set(ids).size).toBe(2)
  })

  test('gets the commands of the foreign machines as functions of bash', () => {
    expect(linesOf(imported.files, 'checks/verify.sh')).toMatch(/^#!\/bin\/bash\nfail-message\(\) \{.*exit 1; \}\n/)
    expect(linesOf(imported.files, 'setups/prepare.sh')).toBe('#!/bin/sh\ntrue\n')
  })
})

test('reports the file and line of what was not mapped', () => {
  const files = filesOf({
    'index.json': index({}, [{ title: 'One', text: 'one.md' }]),
    'one.md': '# One\r\n\r\n[Open]({{TRAFFIC_HOST1_80}})\r\n',
  })
  expect(importGuide(files).notes).toContainEqual({
    kind: 'variable',
    file: 'one.md',
    line: 3,
    sentence: '{{TRAFFIC_HOST1_80}} is a value of the foreign portal.',
  })
})

test('finds the only guide of an archive, and asks for one of several', () => {
  const guide = index({}, [{ title: 'One', text: 'one.md' }])
  expect(importGuide(filesOf({ 'a/b/index.json': guide, 'a/b/one.md': 'One' })).counts.steps).toBe(1)
  expect(() => importGuide(filesOf({ 'a/index.json': guide, 'b/index.json': guide }))).toThrow('2 guides: a/, b/.')
  expect(() => importGuide(filesOf({ 'a.txt': 'nothing' }))).toThrow('There is no guide.yaml')
})

describe('a malicious guide', () => {
  test.each([
    ['index.json', '{"details":', 'not understood'],
    ['index.json', 'null', 'not understood'],
    [
      'track.yml',
      'a: &a [1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]',
      'alias',
    ],
    ['main.hcl', 'a {\n'.repeat(60_000), 'not understood'],
    ['main.hcl', 'resource "lab" "x" {', 'line 1'],
    ['track.yml', 'x'.repeat(300_000), 'larger than 256 kB'],
  ])('in %s is refused with a sentence: %.20s', (path, text, sentence) => {
    expect(() => importGuide(filesOf({ [path]: text }))).toThrow(sentence)
  })

  test('names a file again and again, and is refused before all of it is copied', () => {
    const steps = Array.from({ length: 9_000 }, () => ({ verify: 'v' }))
    const files = { 'index.json': index({}, steps), v: 'x'.repeat(250_000) }
    expect(() => importGuide(filesOf(files))).toThrow('The guide names too many files.')
  })

  test('has thousands of steps with one answer or one title, and is refused', () => {
    const answers = Array.from({ length: 9_000 }, () => ({ answer: 'a' }))
    const files = { 'index.json': index({}, answers), a: 'x'.repeat(250_000) }
    expect(() => importGuide(filesOf(files))).toThrow('The guide names too many files.')
    const equal = Array.from({ length: 9_000 }, () => ({ title: 'x' }))
    expect(() => importGuide(filesOf({ 'index.json': index({}, equal) }))).toThrow('more than 500 steps')
  })

  test('copies at most 50 files, also by patterns with many stars and deep folders', () => {
    const file = `${'*'.repeat(40)}!`
    const assets = { host01: Array.from({ length: 3_000 }, () => ({ file })).concat([{ file: '**' }]) }
    const deep = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`assets/${'a/'.repeat(60)}${i}`, 'x']))
    const { files } = importGuide(filesOf({ 'index.json': index({ assets }), ...deep }))
    expect([...files.keys()].filter((path) => path.startsWith('files/'))).toEqual([])
    const all = index({ assets: { host01: [{ file: '**', target: '/srv' }] } })
    const copied = importGuide(filesOf({ 'index.json': all, ...deep }))
    expect([...copied.files.keys()].filter((path) => path.startsWith('files/'))).toHaveLength(50)
    expect(copied.notes.filter(({ sentence }) => sentence.includes('at most 50'))).toHaveLength(40)
  })

  test('writes no path outside of the guide, and copies only its own files', () => {
    const assets = {
      host01: [
        { file: '../../secret/*', target: '../../etc' },
        { file: '*a*b*c*d*e*f*g', target: '/x' },
      ],
    }
    const step = { title: '../../x', text: '../one.md', verify: '/etc/passwd' }
    const files = { 'a/index.json': index({ assets }, [step]), 'one.md': 'One', 'secret/key': 'k' }
    const { files: built, notes } = importGuide(filesOf(files), 'a')
    expect([...built.keys()]).toEqual(['guide.yaml', 'steps/01-x.md'])
    expect(notes.map(({ kind }) => kind)).toContain('missing-file')
  })

  // A search that looks at the rest of the text for each of its parts would take minutes.
  test.each([
    '`',
    '``` ` ',
    '<details',
    '<pre ',
    '<instruqt-code>',
    '[[ ',
    '{{TRAFFIC_',
    '# ',
    '#',
    '\n',
    ' ',
    '{{< param ',
    '<inject key="a">',
    '```\n',
    '~',
    '```{{}}}}',
    '[[["',
  ])('of %j again and again is read at once', { timeout: 60_000 }, (part) => {
    const text = part.repeat(Math.floor(100_000 / part.length))
    const sources: Readonly<Record<string, string>>[] = [
      { 'index.json': index({}, [{ title: 'One', text: 'one.md' }]), 'one.md': text },
      { 'track.yml': 'title: A\n', '1-a/assignment.md': `---\ntitle: A\n---\n${text}` },
      { 'one.md': text },
      {
        'resources/workshop.yaml': 'spec: {title: A, description: A}',
        'workshop/content/one.md': `---\ntitle: A\n---\n${text}`,
      },
      { 'masterdoc.json': '[{"Name":"A","Files":[{"RawFilePath":"https://x/one.md","Order":1}]}]', 'one.md': text },
      {
        'main.hcl': `resource "lab" "a" {\n title = "A"\n content {\n page "p" {\n reference = resource.page.p\n }\n }\n}\nresource "page" "p" {\n file = "one.md"\n variables = {}\n}\n`,
        'one.md': text,
      },
    ]
    for (const files of sources) expect(importGuide(filesOf(files)).counts.steps).toBeLessThan(60_000)
  })
})
