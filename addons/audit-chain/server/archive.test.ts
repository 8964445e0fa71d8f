import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { startAudit, type TestAudit } from './test-audit.ts'

const DAY = 86_400
let audit: TestAudit
beforeEach(async () => {
  audit = await startAudit(400)
  await audit.write('one', 'two', 'three')
  await audit.seal()
  await audit.sign()
})
afterEach(() => audit.close())

const inTable = async () =>
  (await audit.db.selectFrom('audit').select('call').orderBy('id').execute()).map(({ call }) => call)

/** Advances the clock, then writes, seals and signs rows. */
async function daysLater(days: number, ...calls: string[]): Promise<void> {
  await setPortalClock(audit.owner, { ahead: days * DAY })
  await audit.write(...calls)
  await audit.seal()
  await audit.sign()
}

test('moves old rows to a file with their seals and verifies the chain across files', async () => {
  await daysLater(401, 'four', 'five')
  expect(await audit.run('archive')).toEqual({
    code: 0,
    lines: [`Positions 1 to 3 of the audit were moved to ${join(audit.folder, 'audit-1-3.jsonl')}.`],
  })
  expect(await inTable()).toEqual(['four', 'five', 'operator.archiveAudit'])
  expect(statSync(join(audit.folder, 'audit-1-3.jsonl')).mode & 0o777).toBe(0o600)
  await daysLater(802, 'six')
  expect((await audit.run('archive')).lines[0]).toMatch(/^Positions 4 to 6 /)
  await audit.seal()
  const { code, lines } = await audit.run('verify')
  expect(lines).toContain('8 rows up to position 8, and 4 signed heads.')
  expect(code).toBe(0)
  // Each file, and each copy of the table, can be verified separately and continues the chain of the previous file.
  expect((await audit.run('verify', join(audit.folder, 'audit-1-3.jsonl'))).code).toBe(0)
  const [second, copy] = [join(audit.folder, 'audit-4-6.jsonl'), join(audit.folder, 'copy.jsonl')]
  expect((await audit.run('copy', copy)).code).toBe(0)
  for (const [file, from] of [
    [second, 3],
    [copy, 6],
  ] as const) {
    const verdict = await audit.run('verify', file)
    expect(verdict).toMatchObject({ code: 0 })
    expect(verdict.lines).toContainEqual(
      expect.stringContaining(`The rows up to position ${from} were archived earlier`),
    )
    // The starting link cannot be forged, because it must be signed.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^({"archived":{"position":)\d+/, '$12'))
    expect((await audit.run('verify', file)).code).toBe(1)
  }
})

test('retains younger rows and the end of the chain', async () => {
  await daysLater(399, 'four')
  expect((await audit.run('archive')).lines).toEqual(['No audit row is older than 400 days. Nothing was archived.'])
  await setPortalClock(audit.owner, { ahead: 2_000 * DAY })
  await audit.run('archive')
  expect(await inTable()).toEqual(['four', 'operator.archiveAudit'])
  await audit.seal()
  expect((await audit.run('verify')).code).toBe(0)
})

test('refuses to delete rows younger than a year, regardless of the setting', async () => {
  const recentAudit = await startAudit(30)
  await recentAudit.write('one', 'two')
  await recentAudit.seal()
  await setPortalClock(recentAudit.owner, { ahead: 40 * DAY })
  await expect(recentAudit.run('archive')).rejects.toThrow('kept for at least 365 days')
  await expect(recentAudit.tamper('delete from audit_seal')).rejects.toThrow('Audit rows are kept for a year.')
  await expect(recentAudit.tamper('delete from audit')).rejects.toThrow('foreign key')
  await recentAudit.close()
})

test('archives nothing without the setting', async () => {
  const forever = await startAudit()
  expect((await forever.run('archive')).lines).toEqual([
    'AUDIT_RETENTION_DAYS is not set. All rows are kept and nothing was archived.',
  ])
  await forever.close()
})

test('archives nothing if rows do not match their seals', async () => {
  await daysLater(401, 'four')
  await audit.tamper(`update audit set call = 'other' where id = 2`)
  await expect(audit.run('archive')).rejects.toThrow(/^Nothing was archived:\nRow 2 \(position 2\) was changed/)
  expect(await inTable()).toHaveLength(4)
  expect(readdirSync(audit.folder).filter((name) => name.endsWith('.jsonl'))).toEqual([])
})

test('detects changed and deleted rows in an archive', async () => {
  await daysLater(401, 'four')
  await audit.run('archive')
  await audit.seal()
  const file = join(audit.folder, 'audit-1-3.jsonl')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('"call":"two"', '"call":"too"'))
  expect((await audit.run('verify')).lines[0]).toMatch(/^Row 2 \(position 2\) was changed and now reads: too/)
  writeFileSync(file, text.split('\n').toSpliced(1, 1).join('\n'))
  expect((await audit.run('verify')).lines[0]).toMatch(/^The rows at position 2 were deleted/)
  writeFileSync(file, text.split('\n').toSpliced(2, 1).join('\n'))
  expect((await audit.run('verify')).lines[0]).toMatch(/^The rows at position 3 were deleted/)
})

test('verifies the table from the signed last link of a missing archive', async () => {
  await daysLater(401, 'four', 'five')
  await audit.run('archive')
  await audit.seal()
  const file = join(audit.folder, 'audit-1-3.jsonl')
  renameSync(file, `${file}.elsewhere`)
  const { code, lines } = await audit.run('verify')
  expect(code).toBe(0)
  expect(lines).toContainEqual(expect.stringMatching(/^audit-1-3\.jsonl, .* is not in .*: its last link was trusted/))
  await audit.tamper(`update audit_archive set chain = sha256('x')`)
  expect((await audit.run('verify')).code).toBe(1)
})
