import { expect, test } from 'vitest'
import { isEmail } from './email.ts'

test.each([
  'jane+lab@b.technology',
  'head@north.academy',
  "o'neill@mail.eu.school.co.in",
  'first.last@a-b.museum',
  'ops@xn--bcher-kva.xn--p1ai',
  `${'l'.repeat(64)}@example.com`,
])('accepts %s as a deliverable address', (text) => {
  expect(isEmail(text)).toBe(true)
})

test.each([
  '',
  'jane',
  'jane@localhost',
  '@b.technology',
  'jane@',
  '.jane@b.test',
  'jane.@b.test',
  'ja..ne@b.test',
  'jane@-b.test',
  'jane@b..test',
  'jane@b.test.',
  'jane@10.0.0.1',
  'jane doe@b.test',
  'jane@b.test\nBcc: all@b.test',
  'jane<x>@b.test',
  '"jane"@b.test',
  `${'l'.repeat(65)}@example.com`,
  `jane@${'label.'.repeat(42)}com`,
])('rejects %j', (text) => {
  expect(isEmail(text)).toBe(false)
})

test('rejects a very long text quickly', () => {
  const began = performance.now()
  expect(isEmail(`${'a.'.repeat(500_000)}@b.test`)).toBe(false)
  expect(isEmail(`${'a'.repeat(120)}@${'b-'.repeat(60)}`)).toBe(false)
  expect(performance.now() - began).toBeLessThan(50)
})
