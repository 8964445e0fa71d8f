import { expect, test } from 'vitest'
import type { Call } from '../call.ts'
import { contract } from '../contract.ts'
import { AUDIT_WORDS, auditResult, auditWords } from './audit.ts'

const changing = Object.entries(contract).flatMap(([module, calls]) =>
  Object.entries(calls as Record<string, Call>)
    .filter(([, { method }]) => method !== 'GET')
    .map(([name]) => `${module}.${name}`),
)

test('every call that leaves audit rows has its plain words', () => {
  expect(changing.filter((call) => !Object.hasOwn(AUDIT_WORDS, call))).toEqual([])
})

test('one that is not known is named as it is, and so is another refusal', () => {
  expect(auditWords('later.call')).toBe('later.call')
  expect([auditResult(null), auditResult('forbidden'), auditResult('other')]).toEqual([
    'Done',
    'Refused: not allowed',
    'Refused: other',
  ])
})
