import { expect, test } from 'vitest'
import { layoutFor } from './layout.ts'

const widths = { learner: 180, name: 120, address: 110 }

test('shows button texts where they fit, icons in less room, and two lines on a phone', () => {
  expect(layoutFor(1112, widths, true)).toEqual({
    shape: 'wide',
    columns: '36px 180px 120px 144px 80px 110px minmax(344px, 1fr)',
  })
  expect(layoutFor(900, widths, true).shape).toBe('tight')
  expect(layoutFor(358, widths, true).shape).toBe('stacked')
})

test("truncates the learner's address before it drops a column", () => {
  expect(layoutFor(928, widths, true).columns).toContain('36px 180px ')
  expect(layoutFor(878, widths, true).columns).toContain('36px 144px ')
  expect(layoutFor(868, widths, true).shape).toBe('stacked')
})

test('has no learner column for a learner', () => {
  expect(layoutFor(1112, widths, false).columns).toBe('36px 120px 144px 80px 110px minmax(344px, 1fr)')
})
