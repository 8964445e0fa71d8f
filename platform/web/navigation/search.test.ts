import { expect, it } from 'vitest'
import { readSearch, writeSearch } from './search.ts'

it('keeps a name that looks like a number as text', () => {
  expect(readSearch('?training=101&organization=Acme+%26+Co')).toEqual({ training: '101', organization: 'Acme & Co' })
})

it('uses the first of two equal names', () => {
  expect(readSearch('?training=a&training=b')).toEqual({ training: 'a' })
})

it('writes what it reads, without missing values', () => {
  const search = { training: 'C++ & more', organization: undefined, note: '' }
  expect(readSearch(writeSearch(search))).toEqual({ training: 'C++ & more' })
  expect(writeSearch({})).toBe('')
})
