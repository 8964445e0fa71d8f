import { expect, test } from 'vitest'
import { instantOf } from './portal-time.ts'

test('reads a time of the portal as Indian, and leaves a time that is none to the call', () => {
  expect(instantOf('2026-01-01T00:00')).toBe('2025-12-31T18:30:00.000Z')
  expect(['', '20266-01-01T00:00'].map(instantOf)).toEqual(['', '20266-01-01T00:00'])
})
