import { expect, it } from 'vitest'
import { readSearch, writeSearch } from './search.ts'

it('a name that looks like a number stays text', () => {
  expect(readSearch('?training=101&organization=Acme+%26+Co')).toEqual({ training: '101', organization: 'Acme & Co' })
})

it('the first of two equal names counts', () => {
  expect(readSearch('?training=a&training=b')).toEqual({ training: 'a' })
})

it('a search is written as it was read, without the values that are not given', () => {
  const search = { training: 'C++ & more', organization: undefined, note: '' }
  expect(readSearch(writeSearch(search))).toEqual({ training: 'C++ & more' })
  expect(writeSearch({})).toBe('')
})
