import { expect, test } from 'vitest'
import { layoutFor } from './layout.ts'

const widths = { learner: 180, name: 120, address: 110 }

test('rows have words on their buttons where they fit, drawings where not, and two lines on a phone', () => {
  expect(layoutFor(1112, widths, true)).toEqual({
    shape: 'wide',
    columns: '36px 180px 120px 144px 80px 110px minmax(344px, 1fr)',
  })
  expect(layoutFor(900, widths, true).shape).toBe('tight')
  expect(layoutFor(358, widths, true).shape).toBe('slip')
})

test('a learner’s address is cut before a column is lost, and not where there is room', () => {
  expect(layoutFor(928, widths, true).columns).toContain('36px 180px ')
  expect(layoutFor(878, widths, true).columns).toContain('36px 144px ')
  expect(layoutFor(868, widths, true).shape).toBe('slip')
})

test('a learner’s own table has no column of learners', () => {
  expect(layoutFor(1112, widths, false).columns).toBe('36px 120px 144px 80px 110px minmax(344px, 1fr)')
})
