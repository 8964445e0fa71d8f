import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuditRow, chainOf, rowHashOf, type Seal } from './chain.ts'
import { EIGHT, startAudit, type TestAudit } from './test-audit.ts'

let audit: TestAudit
let file: string
let lines: readonly string[]
beforeAll(async () => {
  audit = await startAudit()
  await audit.write(...EIGHT)
  file = join(audit.folder, 'copy.jsonl')
  await audit.run('copy', file)
  lines = readFileSync(file, 'utf8').trim().split('\n')
})
afterAll(() => audit.close())

const verify = async (changed: readonly string[]) => {
  const to = join(audit.folder, 'changed.jsonl')
  writeFileSync(to, changed.join('\n'))
  return audit.run('verify', to)
}
interface Line {
  row: AuditRow
  seal: Seal
}
const at = (n: number) => JSON.parse(lines[n - 1]!) as Line
const withLine = (n: number, line: Line) => lines.map((text, index) => (index === n - 1 ? JSON.stringify(line) : text))

test('verifies a copy without the database, independent of the order of fields', async () => {
  expect(lines).toHaveLength(9)
  expect((await verify(lines)).code).toBe(0)
  const { row, seal } = at(3)
  const backwards = Object.fromEntries(Object.entries(row).toReversed()) as unknown as AuditRow
  expect((await verify(withLine(3, { seal, row: backwards }))).code).toBe(0)
})

describe('manipulated copy:', () => {
  const swapLines = (from: number, to: number) => {
    const all = [...lines]
    all.splice(to - 1, 0, ...all.splice(from - 1, 1))
    return all
  }
  const swappedLines = () => {
    const all = [...lines]
    ;[all[2], all[5]] = [all[5]!, all[2]!]
    return all
  }
  test.each<[string, () => string[], RegExp]>([
    [
      'changed a row',
      () => withLine(3, { ...at(3), row: { ...at(3).row, actorEmail: 'else@labs.test' } }),
      /^Row 3 \(position 3\) was changed and now reads: three by else@labs\.test/,
    ],
    [
      'changed a row and its hash',
      () => {
        const row = { ...at(3).row, actorEmail: 'else@labs.test' }
        return withLine(3, { row, seal: { ...at(3).seal, rowHash: rowHashOf(row) } })
      },
      /^The seal of row 3 \(position 3\) was changed/,
    ],
    [
      'changed a row and made its seal anew',
      () => {
        const [row, { previous }] = [{ ...at(3).row, call: 'other' }, at(3).seal]
        const rowHash = rowHashOf(row)
        return withLine(3, { row, seal: { ...at(3).seal, rowHash, chain: chainOf(previous, rowHash) } })
      },
      /^Row 4 \(position 4\) does not link to row 3: row 3 was replaced/,
    ],
    ['cut a line out', () => lines.toSpliced(4, 1), /^The rows at position 5 were deleted with their seals\.$/],
    ['cut lines out at the beginning', () => lines.slice(2), /^The rows at positions 1 to 2 were deleted/],
    [
      'emptied a line of its row',
      () => withLine(5, { seal: at(5).seal, row: null as unknown as AuditRow }),
      /^Row 5 \(position 5\) was deleted: only its seal is left/,
    ],
    [
      'swapped the rows of two lines',
      () => {
        const all = withLine(3, { seal: at(3).seal, row: at(6).row })
        all[5] = JSON.stringify({ seal: at(6).seal, row: at(3).row })
        return all
      },
      /^Rows 3 and 6 were swapped/,
    ],
    ['swapped two lines', swappedLines, /^Row 3 is at the wrong position. Its correct position is position 3\.$/],
    ['moved a line', () => swapLines(2, 6), /^Row 2 is at the wrong position. Its correct position is position 2\.$/],
    [
      'inserted a line',
      () => lines.toSpliced(3, 0, JSON.stringify({ ...at(3), row: { ...at(3).row, call: 'x' } })),
      /^Row 3 was inserted: position 3 belongs to another row\.$/,
    ],
    [
      'cut off its end',
      () => lines.filter((_line, index) => index !== 6 && index !== 7),
      /^The end of the chain is missing: positions 7 to 8 existed when the head was signed at /,
    ],
    [
      'cut off its end with the signed head',
      () => lines.slice(0, 6),
      /^The end of the chain is not proven: there is no signed head of position 6 or later/,
    ],
    [
      'signed its end with a changed head',
      () => [...lines.slice(0, 6), lines[8]!.replace('"position":8', '"position":6')],
      /^The head of position 6, of .*, is forged/,
    ],
  ])('detects by row that someone %s', async (_what, change, sentence) => {
    const { code, lines: report } = await verify(change())
    expect(code).toBe(1)
    expect(report).toContainEqual(expect.stringMatching(sentence))
  })
})

test.each([
  ['nothing that can be read', '{'],
  ['a row without its call', JSON.stringify({ row: { id: 1 }, seal: null })],
  ['something else', '{"something":1}'],
])('reports the line number of %s', async (_what, line) => {
  await expect(verify([...lines, line])).rejects.toThrow(/^Line 10 of .* is not a valid line of an audit/)
})

test('reports that a copy without seals proves nothing, instead of reporting changes', async () => {
  const emptyAudit = await startAudit()
  const empty = join(emptyAudit.folder, 'empty.jsonl')
  expect(await emptyAudit.run('copy', empty)).toMatchObject({ code: 0 })
  await expect(emptyAudit.run('verify', empty)).rejects.toThrow(
    /empty\.jsonl proves nothing: .* before anything was sealed/,
  )
  // A head from another source proves that the end of the copy is missing.
  const head = lines.at(-1)!.replace(/^\{"head":(.*)\}$/, '$1')
  const { code, lines: report } = await emptyAudit.run('verify', empty, '--head', head, '--key', audit.publicKey)
  expect([code, report[0]]).toEqual([
    1,
    expect.stringMatching(/^The end of the chain is missing: positions 1 to 8 existed/),
  ])
  await emptyAudit.close()
})

test('names a missing target folder', async () => {
  const folder = join(audit.folder, 'nowhere')
  await expect(audit.run('copy', join(folder, 'copy.jsonl'))).rejects.toThrow(
    `${folder} does not exist. Create the folder first, or give another one.`,
  )
})

test('does not overwrite an existing file', async () => {
  await expect(audit.run('copy', file)).rejects.toThrow('it already exists')
})

test('leaves no file that looks complete if the copy fails', async () => {
  const to = join(audit.folder, 'broken.jsonl')
  // Writing the head, the last line of a copy, needs the portal's clock.
  await audit.tamper('alter function portal_now() rename to portal_later')
  await expect(audit.run('copy', to)).rejects.toThrow('portal_now')
  await audit.tamper('alter function portal_later() rename to portal_now')
  expect(readdirSync(audit.folder).filter((name) => name.startsWith('broken'))).toEqual([])
  expect(await audit.run('copy', to)).toMatchObject({ code: 0 })
})
