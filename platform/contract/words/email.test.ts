import { expect, test } from 'vitest'
import { asciiEmail, isEmail } from './email.ts'
import { growthOfTime, LINEAR } from '../test-growth.ts'

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

test.each([
  ['a long local part', (size: number) => `${'a.'.repeat(size)}@b.test`],
  ['a long domain', (size: number) => `${'a'.repeat(120)}@${'b-'.repeat(size)}`],
])('rejects %s in linear time', (_, textOf) => {
  expect(isEmail(textOf(500_000))).toBe(false)
  expect(growthOfTime((size) => isEmail(textOf(size)), 40_000)).toBeLessThan(LINEAR)
})

test.each([
  ['Asha@भारत.example', 'asha@xn--h2brj9c.example'],
  ['asha@विद्यालय.भारत', 'asha@xn--j2bsalm0de7i.xn--h2brj9c'],
  ['asha@Bücher.example', 'asha@xn--bcher-kva.example'],
  ['asha@例え。テスト', 'asha@xn--r8jz45g.xn--zckzah'],
  [' Asha@Example.com ', 'asha@example.com'],
])('converts the internationalised domain of %s', (entered, stored) => {
  expect(asciiEmail(entered)).toBe(stored)
  expect(isEmail(stored)).toBe(true)
})

test.each([
  'asha@भारत',
  'asha@भारत.example:25',
  'asha@भारत.example/x',
  'आशा@example.com',
  'asha@भा%72त.example',
  'a@b@भारत.example',
  'asha@भारत .example',
])('rejects %s', (entered) => {
  expect(isEmail(asciiEmail(entered))).toBe(false)
})
