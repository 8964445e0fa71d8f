import { expect, test } from 'vitest'
import { readGuide } from '../../server/format/read-guide.ts'
import { readZip } from '../../server/format/zip.ts'
import { exampleFiles } from '../../test/example-guides.ts'
import {
  bytesOf,
  contentOf,
  type Files,
  pathOfDropped,
  pathsOf,
  pictureIn,
  picturesAt,
  placeOfLine,
  problemOfDropped,
  problemOfPath,
  withDropped,
} from './edited-files.ts'
import { SKELETON } from './skeleton.ts'
import { zipOf } from './zip.ts'

const archiveOf = async (files: Files) =>
  Buffer.from(await zipOf([...files].map(([path, content]) => [path, bytesOf(content)])).arrayBuffer())

test('a new guide is correct', async () => {
  const { findings } = readGuide(readZip(await archiveOf(SKELETON)))
  expect(findings).toEqual([])
})

test('files come out of the archive as they were', async () => {
  const files = new Map<string, Buffer<ArrayBuffer>>(
    [...exampleFiles('web-server')].map(([path, content]) => [path, Buffer.from(content)]),
  )
  files.set('files/all-bytes', Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256)))
  files.set('files/empty', Buffer.alloc(0))
  const edited = new Map([...files].map(([path, content]) => [path, contentOf(new Uint8Array(content))]))
  expect(typeof edited.get('guide.yaml')).toBe('string')
  expect(typeof edited.get('files/all-bytes')).not.toBe('string')
  expect(new Map(readZip(await archiveOf(edited)))).toEqual(files)
})

test('text is kept byte by byte, and anything else stays bytes', () => {
  for (const text of ['\uFEFFa\r\nb', 'ü', '']) expect(contentOf(bytesOf(text))).toBe(text)
  for (const bytes of [[0xff], [0x61, 0], Array.from({ length: 300 * 1024 }, () => 0x61)])
    expect(typeof contentOf(Uint8Array.from(bytes))).not.toBe('string')
})

test.each([
  '',
  '../x',
  'a/../b',
  '.git/x',
  'a/.Git/x',
  '/a',
  'a b',
  'a/',
  './a',
  'guide.yaml',
  'guide.yaml/x',
  'steps',
  'x'.repeat(201),
])('a file is not named %j', (path) => {
  expect(problemOfPath(path, SKELETON)).not.toBeNull()
})

test('dropped files get a free name that is allowed', () => {
  let files: Files = SKELETON
  const drop = (name: string) => {
    const path = pathOfDropped(name, files)
    files = new Map([...files, [path, '']])
    return path
  }
  expect(
    ['Screen shot (1).PNG', 'Screen shot (1).PNG', 'data.csv', '.bashrc', '../../etc/passwd', '日本.png'].map(drop),
  ).toEqual([
    'images/Screen-shot-1-.PNG',
    'images/Screen-shot-1--2.PNG',
    'files/data.csv',
    'files/bashrc',
    'files/-..-etc-passwd',
    'images/-.png',
  ])
  expect(pathsOf(files)[0]).toBe('guide.yaml')
  expect(problemOfDropped({ name: 'a.bin', size: 6 * 1024 * 1024 }, files)).toBe('a.bin is larger than 5 MB.')
  const full = new Map(Array.from({ length: 500 }, (_, index) => [`f/${index}`, '']))
  expect(problemOfDropped({ name: 'a.bin', size: 1 }, full)).toBe('A guide can have 500 files.')
})

test('dropped files are added to those of this moment, and keep them', () => {
  const large = { file: { name: 'large.bin', size: 6 * 1024 * 1024 }, bytes: null }
  const dropped = [large, { file: { name: 'a.png', size: 1 }, bytes: Uint8Array.of(0) }]
  const first = withDropped(SKELETON, dropped)
  const second = withDropped(first.files, dropped)
  expect([first.added, second.added]).toEqual([['images/a.png'], ['images/a-2.png']])
  expect(second.problems).toEqual(['large.bin is larger than 5 MB.'])
  expect(second.files.size).toBe(SKELETON.size + 2)
})

test('pictures are paragraphs of their own', () => {
  expect(picturesAt('a\n', 2, 'x.md', ['images/b.png', 'images/c.png'])).toBe(
    '\n![b](images/b.png)\n\n![c](images/c.png)',
  )
  expect(picturesAt('a\n\n', 3, 'x.md', ['images/b.png'])).toBe('![b](images/b.png)')
})

test('a picture is named from the folder of the text', () => {
  expect(pictureIn('steps/1.md', 'images/first-window.png')).toBe('![first window](../images/first-window.png)')
  expect(pictureIn('1.md', 'images/a.png')).toBe('![a](images/a.png)')
})

test('a line is found, or the last one', () => {
  expect(placeOfLine('a\nbc\nd', 2)).toEqual([2, 4])
  expect(placeOfLine('a\nbc\nd', 9)).toEqual([5, 6])
  expect(placeOfLine('', 1)).toEqual([0, 0])
})
