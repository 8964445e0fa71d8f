import { describe, expect, test } from 'vitest'
import { addEntries, describeEntries, removeEntry, validOf } from './entries.ts'

describe('Email IDs', () => {
  // @covers R6.9
  test('are split on whitespace and commas, in lower case and without duplicates', () => {
    expect(addEntries(['a@acme.test'], ' b@acme.test,c@acme.test\n\tA@ACME.test ,, d@acme.test')).toEqual([
      'a@acme.test',
      'b@acme.test',
      'c@acme.test',
      'd@acme.test',
    ])
    expect(addEntries([], ' , \n')).toEqual([])
  })
  // @covers R6.10
  test('stay visible when invalid and are excluded from the order', () => {
    const entries = addEntries([], 'a@acme.test nonsense b@acme c+d@acme.test e@acme.toolong7 f.g_h-i@sub.acme.co')
    expect(entries).toHaveLength(6)
    expect(validOf(entries)).toEqual(['a@acme.test', 'f.g_h-i@sub.acme.co'])
    expect(describeEntries(entries)).toBe('2 e-mails, 4 invalid and ignored')
    expect(describeEntries(['a@acme.test'])).toBe('1 e-mail')
  })
  test('accept a paste of a thousand addresses', () => {
    const pasted = Array.from({ length: 1000 }, (_, index) => `learner.${index}@acme.test`).join('\n')
    expect(validOf(addEntries([], pasted))).toHaveLength(1000)
  })
  test('are removed one at a time', () => {
    expect(removeEntry(['a', 'b', 'c'], 'b')).toEqual(['a', 'c'])
  })
})
