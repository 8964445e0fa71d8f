import { expect, test } from 'vitest'
import { layoutFor } from './layout.ts'

const widths = { learner: 180, name: 120, address: 110 }

test('drops the address, then the name of the machine, and has two lines on a phone', () => {
  expect(layoutFor(1112, widths, true)).toEqual({
    shape: 'wide',
    columns: '36px 180px 120px 136px 128px 110px minmax(196px, 1fr)',
  })
  expect(layoutFor(900, widths, true).shape).toBe('medium')
  expect(layoutFor(750, widths, true)).toEqual({
    shape: 'narrow',
    columns: '36px 180px 136px 128px minmax(196px, 1fr)',
  })
  expect(layoutFor(358, widths, true)).toEqual({ shape: 'stacked', columns: '36px minmax(0, 1fr) 196px' })
})

test("truncates the learner's address before it drops a column", () => {
  expect(layoutFor(1002, widths, true).columns).toContain('36px 180px 120px 136px 128px 110px')
  expect(layoutFor(962, widths, true).columns).toContain('36px 140px 120px 136px 128px 110px')
  expect(layoutFor(961, widths, true).shape).toBe('medium')
})

test('has no learner column for a learner', () => {
  expect(layoutFor(1112, widths, false).columns).toBe('36px 120px 136px 128px 110px minmax(196px, 1fr)')
})
