import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MEASURED } from './measured.ts'

const root = new URL('../', import.meta.url)

test.each(MEASURED)('%s exists and measures time', (path) => {
  const file = new URL(path, root)
  expect(existsSync(file)).toBe(true)
  expect(readFileSync(file, 'utf8')).toMatch(/performance\.now\(\)|process\.cpuUsage\(/)
})
