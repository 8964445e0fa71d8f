import { expect, test } from 'vitest'
import { nameOf } from './language-name.ts'

test('a language has its own name, and one that browsers do not know is shown as it is', () => {
  expect(nameOf('de')).toBe('Deutsch')
  expect(nameOf('de', 'en')).toBe('German')
  expect(nameOf('en-utf8')).toBe('en-utf8')
})
