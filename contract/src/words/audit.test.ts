import { expect, test } from 'vitest'
import type { Call } from '../call.ts'
import { contract } from '../contract.ts'
import { type ProblemCode, PROBLEMS } from './problems.ts'
import { AUDIT_WORDS, auditResult, auditWords } from './audit.ts'

const changing = Object.entries(contract).flatMap(([module, calls]) =>
  Object.entries(calls as Record<string, Call>)
    .filter(([, { method }]) => method !== 'GET')
    .map(([name]) => `${module}.${name}`),
)

test('every call that leaves audit rows has its plain words', () => {
  expect(changing.filter((call) => !Object.hasOwn(AUDIT_WORDS, call))).toEqual([])
})

test('every refusal of a person has its plain words', () => {
  const refusals = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) =>
    [401, 403, 404, 429].includes(PROBLEMS[code]),
  )
  expect(refusals.filter((code) => auditResult(code) === `Refused: ${code}`)).toEqual([])
})

test('one that is not known is named as it is, and so is another refusal', () => {
  expect(auditWords('later.call')).toBe('later.call')
  expect([auditResult(null), auditResult('forbidden'), auditResult('other')]).toEqual([
    'Done',
    'Refused: not allowed',
    'Refused: other',
  ])
})
