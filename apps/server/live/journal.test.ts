import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openJournal } from './journal.ts'

test('creates files that are private regardless of the umask', () => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'))
  const journal = openJournal(folder, { group: 'here', directoryUser: 'here', awsUser: 'here' })
  onTestFinished(() => journal.close())
  journal.recordBeforeCreate({ kind: 'group', id: '1', group: 'trainyard-live-1' })
  const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)])
  expect(Object.fromEntries(modes)).toMatchObject({ lock: '600', 'left.json': '600' })
  expect(new Set(modes.map(([, mode]) => mode))).toEqual(new Set(['600']))
})
