import { expect, test } from 'vitest'
import { formatTags, parseTags, TAGS_MAX, tagsProblem } from './azure-tags.ts'

test.each([
  ['CostCentre=4711\n\n Owner = Asha R. ', { CostCentre: '4711', Owner: 'Asha R.' }],
  ['Formula=a=b', { Formula: 'a=b' }],
  ['Empty=', { Empty: '' }],
  ['', {}],
  ['no equals sign', null],
  ['=value', null],
  ['A=1\nA=2', null],
])('reads %j as %j', (text, tags) => {
  expect(parseTags(text)).toEqual(tags)
})

test('formats tags so that they can be read again', () => {
  const tags = { CostCentre: '4711', Owner: 'a=b' }
  expect(parseTags(formatTags(tags))).toEqual(tags)
})

test.each([
  [{ CostCentre: '4711' }, null],
  [{ 'trainyard-machine': 'x' }, /must not begin with trainyard/],
  [{ 'Microsoft.Owner': 'x' }, /must not begin with trainyard, microsoft/],
  [{ 'a/b': 'x' }, /control characters, nor </],
  [{ a: 'two\nlines' }, /control characters/],
  [{ ['n'.repeat(129)]: '' }, /at most 128/],
  [{ a: 'v'.repeat(257) }, /at most 256/],
  [{ Owner: '1', owner: '2' }, /twice/],
  [Object.fromEntries(Array.from({ length: TAGS_MAX + 1 }, (_, n) => [`t${n}`, ''])), /at most 15 tags/],
])('judges the tags %j', (tags, problem) => {
  const found = tagsProblem(tags)
  expect(problem === null ? found === null : problem.test(found ?? '')).toBe(true)
})
