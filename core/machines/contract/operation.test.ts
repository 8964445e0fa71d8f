import { expect, test } from 'vitest'
import { formatDuration } from '@trainyard/platform/contract/words/duration.ts'
import { progressText, stepsOf, waitText, type OperationTimes } from './operation.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 5, 9) + seconds * 1000)
const iso = (seconds: number) => at(seconds).toISOString()
const none = { sentAt: null, acceptedAt: null, endedAt: null, readyAt: null }
const times = (kind: OperationTimes['kind'], more: Partial<OperationTimes> = {}): OperationTimes => ({
  kind,
  askedAt: iso(0),
  ...none,
  ...more,
})

test.each([
  [0, '0 s'],
  [52.4, '52 s'],
  [119, '119 s'],
  [120, '2 min'],
  [200, '3 min 20 s'],
  [629, '10 min'],
])('formats %d seconds as %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words)
})

test('shows the usual duration until the elapsed time exceeds the 90th percentile', () => {
  const usual = { median: 80, p90: 140 }
  expect(progressText(iso(0), usual, at(52))).toBe('52 s of about 80 s')
  expect(progressText(iso(0), usual, at(141))).toBe('2 min 21 s, longer than the usual 80 s')
  expect(progressText(iso(0), null, at(52))).toBe('52 s so far')
  // The browser's clock is behind the server's.
  expect(progressText(iso(5), usual, at(0))).toBe('0 s of about 80 s')
  expect(waitText({ ...times('start', { endedAt: iso(60) }), usual }, at(72))).toBe('No answer yet, 12 s')
})

test('returns the steps of an operation in order, including pending ones', () => {
  const names = (operation: OperationTimes) =>
    stepsOf(operation).map(({ name, to }) => (to === null ? name : `${name}!`))
  expect(names(times('create', { sentAt: iso(1) }))).toEqual(['Queued!', 'Network', 'Machine', 'Ready'])
  expect(names(times('stop', { sentAt: iso(1), acceptedAt: iso(2), endedAt: iso(9) }))).toEqual([
    'Queued!',
    'Sent!',
    'Machine!',
  ])
  expect(names(times('start', { endedAt: iso(9) }))).toEqual(['Queued!', 'Sent!', 'Machine!', 'Ready'])
  expect(names(times('capture'))).toEqual(['Snapshot'])
})
