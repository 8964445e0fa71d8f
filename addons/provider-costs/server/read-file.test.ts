import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readFile } from './read-file.ts'
import { eaFile, eaLine } from './test-bill.ts'

const line = (cost: number) => ({ day: '2026-10-01', cost: `${cost}.00`, service: 'Virtual, "big" Machines' })
const HEADER = eaFile([]).trim().replace('\uFEFF', '')
const rows = (count: number, from = 1) => Array.from({ length: count }, (_, place) => eaLine(line(from + place)))
const withSeparator = (text: string, separator: string) =>
  text.replace(/"(?:[^"]|"")*"|,/g, (part) => (part === ',' ? separator : part))
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

/** Returns the costs, then the problems as `!line`, and the lines above the header as `^line`. */
async function read(content: string | Buffer, size = 1_000): Promise<string[]> {
  const bytes = Buffer.from(content as string)
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const found: string[] = []
  for await (const each of readFile('bill.csv', open).lines) {
    if ('bill' in each) found.push(each.bill.cost)
    else found.push(`${each.isAside ? '^' : '!'}${each.line}`)
  }
  return found
}

const THREE = ['1.00', '2.00', '3.00']
const FILE = [HEADER, ...rows(3)].join('\n')

test.each<[string, string | Buffer, string[]]>([
  ['LF', FILE, THREE],
  ['a CRLF header over LF rows', FILE.replace('\n', '\r\n'), THREE],
  ['an LF header over CRLF and CR rows', `${HEADER}\n${rows(2).join('\r\n')}\r${rows(1, 3).join('')}`, THREE],
  ['a byte order mark', `\uFEFF${FILE}`, THREE],
  ['two byte order marks', `\uFEFF\uFEFF${FILE}`, THREE],
  ['two joined exports', `\uFEFF${HEADER}\n${rows(2).join('\n')}\n\uFEFF${HEADER}\n${rows(1, 3).join('\n')}`, THREE],
  ['UTF-16', utf16(FILE), THREE],
  ['semicolons', withSeparator(FILE, ';'), THREE],
  ['tabs', withSeparator(FILE, '\t'), THREE],
  ['sep=;', `sep=;\r\n${withSeparator(FILE, ';')}`, THREE],
  ['sep=, and semicolons', `sep=,\n${withSeparator(FILE, ';')}`, THREE],
  ['gzip', gzipSync(FILE), THREE],
  ['a title above the header', `Cost of October\n\n${FILE}`, ['^1', ...THREE]],
  ['the header below the rows', [...rows(3), HEADER].join('\n'), THREE],
  ['blank rows', FILE.replaceAll('\n', `\n${','.repeat(36)}\n\n`), THREE],
  ['an unclosed quote in the first row', FILE.replace('\n', '\n"'), ['!2', '2.00', '3.00']],
  ['an unclosed quote in the last row', `${FILE}\n"x`, [...THREE, '!5']],
  ['a quote that a later row closes', FILE.replace('\n', '\n"').replace(/\n(?=[^\n]*$)/, '\n",'), ['!2', '2.00', '!4']],
  ['a row of too many fields', FILE.replace(/\n/, '\nx,'), ['!2', '2.00', '3.00']],
  ['a row without an end', `${FILE}\n${'x'.repeat(600_000)}`, [...THREE, '!5']],
])('reads a file with %s, each bad row alone', async (_what, content, expected) => {
  // Pieces of each size give the same rows.
  for (const size of [Math.max(7, content.length / 500), 1_000_000]) expect(await read(content, size)).toEqual(expected)
})

test('reads 500 rows below a header with other line ends, and reports the only unreadable row', async () => {
  const all = rows(500).with(249, eaLine({ ...line(1), cost: 'much' }))
  const found = await read(`${HEADER}\r\n${all.join('\n')}\n`)
  expect(found).toHaveLength(500)
  expect(found.filter((each) => each.startsWith('!'))).toEqual(['!251'])
})

test('rejects a file of an unreadable encoding with its line', async () => {
  const file = Buffer.from(FILE.replace(/"Virtual(?=[^\n]*$)/, '"Café'), 'latin1')
  for (const size of [1, 50, 1_000_000])
    await expect(read(file, size)).rejects.toThrow('bill.csv is not UTF-8 in line 4.')
})

test.each([
  ['a character is cut between two pieces', (text: string) => text, '\n'],
  ['lines end with a carriage return', (text: string) => text.replaceAll('\n', '\r'), '\r'],
  ['lines end with both', (text: string) => text.replaceAll('\n', '\r\n'), '\r\n'],
])('rejects an unreadable encoding with its line when %s', async (_when, lineEnds, end) => {
  const bytes = Buffer.from(lineEnds(FILE.replace('"Virtual', '"Café')))
  const file = Buffer.concat([bytes, Buffer.from(end), Buffer.from('"Caf\u00e9', 'latin1'), Buffer.from(end)])
  for (const size of [2, 3, bytes.indexOf('é') + 1, 1_000_000])
    await expect(read(file, size)).rejects.toThrow('bill.csv is not UTF-8 in line 5.')
})

test('rejects a file without a known header', async () => {
  await expect(read(`a,b\ncost,${'x'.repeat(70_000)}\n`)).rejects.toThrow('is not a supported cost export')
})
