import { expect, test } from 'vitest'
import { fieldsOf } from './fields.ts'

test('shows a changed field before and after, also where a value is missing', () => {
  expect(fieldsOf({ role: 'user', quota: 60 }, { role: 'admin', window: '09:00' })).toEqual([
    { name: 'role', was: 'user', is: 'admin' },
    { name: 'quota', was: '60', is: '–' },
    { name: 'window', was: '–', is: '09:00' },
  ])
  expect(fieldsOf(null, { name: 'x' })).toEqual([{ name: 'name', was: '–', is: 'x' }])
})

test('leaves out what did not change', () => {
  const profile = { timeZone: 'Asia/Kolkata', gst: null, sources: ['203.0.113.0/24'] }
  expect(fieldsOf(profile, { ...profile, timeZone: 'Asia/Dubai', gst: undefined })).toEqual([
    { name: 'timeZone', was: 'Asia/Kolkata', is: 'Asia/Dubai' },
  ])
  expect(fieldsOf(profile, profile)).toEqual([])
})
