import { expect, test } from 'vitest'
import type { Call } from '../call.ts'
import { contract } from '../contract.ts'
import { type ProblemCode, PROBLEMS } from './problems.ts'
import { AUDIT_LABELS, auditResult, auditLabel } from './audit.ts'

const changing = Object.entries(contract).flatMap(([module, calls]) =>
  Object.entries(calls as Record<string, Call>)
    .filter(([, { method }]) => method !== 'GET')
    .map(([name]) => `${module}.${name}`),
)

test('every call that writes audit rows has a label', () => {
  expect(changing.filter((call) => !Object.hasOwn(AUDIT_LABELS, call))).toEqual([])
})

test('every refusal code has a label', () => {
  const refusals = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) =>
    [401, 403, 404, 429].includes(PROBLEMS[code]),
  )
  expect(refusals.filter((code) => auditResult(code) === `Refused: ${code}`)).toEqual([])
})

test('an unknown call is shown by its name, and an unknown refusal by its code', () => {
  expect(auditLabel('later.call')).toBe('later.call')
  expect([auditResult(null), auditResult('forbidden'), auditResult('other')]).toEqual([
    'Done',
    'Refused: not allowed',
    'Refused: other',
  ])
})
