import { closeSync, mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog, rotateLogs } from './private-log.ts'

test('rotates a log while it is open and keeps it private', () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-logs-'))
  const file = join(dir, 'logs', 'api.log')
  const log = openLog(file)
  try {
    writeSync(log, 'one\n')
    rotateLogs(join(dir, 'logs'), 100)
    writeSync(log, 'two\n')
    rotateLogs(join(dir, 'logs'), 5)
    writeSync(log, 'three\n')
    expect(readFileSync(file, 'utf8')).toBe('three\n')
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('one\ntwo\n')
    expect([file, `${file}.1`].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o600])
  } finally {
    closeSync(log)
    rmSync(dir, { recursive: true, force: true })
  }
})
