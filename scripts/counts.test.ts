import { expect, test } from 'vitest'
import {
  browserTestsThat,
  closingLine,
  failedOutside,
  fromPlaywright,
  fromVitest,
  namesTriedAgain,
  sum,
  whatFailed,
} from './counts.ts'

const vitest = (passed: number, failed: number, pending = 0, retried: readonly string[] = []) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: 0,
    testResults: [
      {
        name: 'some.test.ts',
        status: failed > 0 ? 'failed' : 'passed',
        message: '',
        assertionResults: [
          { fullName: 'fine', status: 'passed', failureMessages: [] },
          { fullName: 'broken', status: 'failed', failureMessages: ['expected 1'] },
          ...retried.map((fullName) => ({ fullName, status: 'passed', failureMessages: ['expected 2'] })),
        ],
      },
    ],
  })
const playwright = (expected: number, unexpected: number, flaky = 0, skipped = 0) =>
  JSON.stringify({
    stats: { expected, unexpected, flaky, skipped },
    suites: [
      {
        specs: [{ title: 'fine', file: 'a.spec.ts', tests: [{ status: 'expected' }] }],
        suites: [
          {
            specs: [
              ...(flaky > 0 ? [{ title: 'slow', file: 'a.spec.ts', tests: [{ status: 'flaky' }] }] : []),
              ...(unexpected > 0 ? [{ title: 'broken', file: 'a.spec.ts', tests: [{ status: 'unexpected' }] }] : []),
            ],
          },
        ],
      },
    ],
  })

test('adds both kinds of tests into one line', () => {
  const total = sum([fromVitest(vitest(40, 0), 0), fromPlaywright(playwright(7, 0), 0)])
  expect(closingLine(total)).toBe('47 passed, 0 failed')
})

test('mentions skipped tests only if there are any', () => {
  expect(closingLine(sum([fromVitest(vitest(40, 1, 2), 1), fromPlaywright(playwright(7, 2, 0, 1), 1)]))).toBe(
    '47 passed, 3 failed, 3 skipped',
  )
})

test('does not count tests that are left to another command as skipped', () => {
  const report = JSON.parse(vitest(40, 0, 3))
  report.testResults[0].assertionResults = [
    { fullName: 'slow', status: 'skipped', tags: ['storm'] },
    { fullName: 'slower', status: 'skipped', tags: ['storm'] },
    { fullName: 'needs ssh', status: 'skipped', tags: [] },
  ]
  const counts = fromVitest(JSON.stringify(report), 0, (tags) => !tags.includes('storm'))
  expect(counts).toEqual({ passed: 40, failed: 0, skipped: 1, again: 0 })
})

test('names a test that passed on its retry', () => {
  const counts = fromPlaywright(playwright(7, 0, 1), 0)
  expect(counts).toEqual({ passed: 8, failed: 0, skipped: 0, again: 1 })
  expect(closingLine(counts)).toBe('8 passed, 0 failed, 1 passed only when tried again')
  expect(fromVitest(vitest(40, 0, 0, ['slow']), 0)).toEqual({ passed: 40, failed: 0, skipped: 0, again: 1 })
  expect(namesTriedAgain(vitest(40, 0, 0, ['slow']))).toEqual(['slow'])
  expect(browserTestsThat('flaky', playwright(7, 0, 1))).toEqual(['a.spec.ts: slow'])
  expect(browserTestsThat('flaky', playwright(7, 1))).toEqual([])
})

test('counts a run without a report, or with an error outside its tests, as a failure', () => {
  expect(fromVitest(null, 0).failed).toBe(1)
  expect(fromVitest(vitest(40, 0), 1)).toEqual({ passed: 40, failed: 1, skipped: 0, again: 0 })
  expect(fromPlaywright(null, 1).failed).toBe(1)
})

test('reports each failure with its reason, including a file that does not load', () => {
  expect(whatFailed(vitest(40, 1))).toEqual(['some.test.ts: broken\nexpected 1'])
  const unreadableSuite = { name: 'torn.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }
  const report = { ...JSON.parse(vitest(40, 0)), testResults: [unreadableSuite] }
  expect(whatFailed(JSON.stringify(report))).toEqual(['torn.test.ts\nno such module'])
  expect(browserTestsThat('unexpected', playwright(7, 1))).toEqual(['a.spec.ts: broken'])
  expect(whatFailed(null)).toEqual(['vitest wrote no report'])
})

test('reports errors outside all tests', () => {
  expect(failedOutside(null, null)).toEqual([])
  expect(failedOutside(JSON.stringify(['Error: nothing caught it']), playwright(7, 0))).toEqual([
    'Error: nothing caught it',
  ])
  const report = { ...JSON.parse(playwright(7, 0)), errors: [{ message: 'the worker ended' }] }
  expect(failedOutside(null, JSON.stringify(report))).toEqual(['the worker ended'])
})
