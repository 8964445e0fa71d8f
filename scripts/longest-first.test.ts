import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { LONGEST } from './longest-first.ts'

test('every file that is to begin early is there', () => {
  const root = fileURLToPath(new URL('../', import.meta.url))
  expect(LONGEST.filter((file) => !existsSync(root + file))).toEqual([])
})
