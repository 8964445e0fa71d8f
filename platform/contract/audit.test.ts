import { expect, test } from 'vitest'
import { type ProblemCode, PROBLEMS } from './words/problems.ts'
import { auditResult } from './audit.ts'

test('every refusal code has a label', () => {
  const refusals = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) =>
    [401, 403, 404, 429].includes(PROBLEMS[code]),
  )
  expect(refusals.filter((code) => auditResult(code) === `Refused: ${code}`)).toEqual([])
})

test('an unknown refusal is shown by its code', () => {
  expect([auditResult(null), auditResult('forbidden'), auditResult('other')]).toEqual([
    'Done',
    'Refused: not allowed',
    'Refused: other',
  ])
})
