import { expect, test } from 'vitest'
import { type ProblemCode, PROBLEMS } from './words/problems.ts'
import { auditResult, auditText } from './audit.ts'

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

test('shows an action by its label, and one without a label by the words of its call', () => {
  expect(auditText('quota.increase', 'increased a quota')).toBe('increased a quota')
  expect(auditText('machine.list', undefined)).toBe('requested machine list')
  expect(auditText('accessWindow.read', 'accessWindow.read')).toBe('requested access window read')
})
