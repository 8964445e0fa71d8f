import { expect, test } from 'vitest'
import { GST_STATES, statesByCode, gstProblem, pinProblem } from './gst.ts'
import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'

test.each([
  '24AAQCA8719H1ZC',
  '05AAACG2115R1ZN',
  '29AABCR1718E1ZL',
  '05AAACG2140A1ZL',
  '24AANFA2641L1ZF',
  '24AABCR6898M1ZN',
  '24AAUPV7468F1ZW',
  '24AUTPV8831F1ZZ',
  '29AAHCM7727Q1ZI',
  '33AAAAR6720M1ZG',
  '27AAPFU0939F1ZV',
  '29AAFCC9980M1ZR',
])('accepts %s as a GST number', (gst) => {
  expect(gstProblem(gst)).toBeNull()
})

test.each([
  ['01AABCE2207R1Z5', 'check digit'],
  ['24AANFA2641L1ZK', 'check digit'],
  ['42AANFA2641L1ZF', 'code of a state, and 42 is not one'],
  ['28AANFA2641L1ZF', 'code of a state, and 28 is not one'],
  ['96AANFA2641L1ZF', 'code of a state, and 96 is not one'],
  ['29AABCR1718E1Z', '15 letters and digits'],
  ['29AABCR1718E1ZLL', '15 letters and digits'],
  ['29aabcr1718e1zl', '15 letters and digits'],
  ['２９AABCR1718E1ZL', '15 letters and digits'],
  ['', '15 letters and digits'],
])('rejects %j and states the reason', (gst, why) => {
  expect(gstProblem(gst)).toContain(why)
})

test('detects one changed character and two swapped neighbours', () => {
  const gst = '29AABCR1718E1ZL'
  for (let place = 2; place < 14; place += 1) {
    const other = gst[place] === '7' ? '8' : '7'
    expect(gstProblem(gst.slice(0, place) + other + gst.slice(place + 1))).toContain('check digit')
  }
  expect(gstProblem('29AACBR1718E1ZL')).toContain('check digit')
})

test('normalises spaces and lower case', () => {
  for (const typed of [' 29 aabcr1718e 1zl ', '29-AABCR1718E-1ZL', '２９AABCR\u00a0१७१८E1ZL\u200b']) {
    expect(normaliseTypedCode(typed)).toBe('29AABCR1718E1ZL')
  }
})

test('lists the states in the order of their codes', () => {
  const codes = statesByCode(GST_STATES).map(([code]) => code)
  expect(codes.slice(0, 11)).toEqual(['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11'])
  expect(codes.slice(-3)).toEqual(['38', '97', '99'])
})

test.each([
  ['560001', '27', 'The PIN code 560001 is not in Maharashtra. Correct the PIN code or the state.'],
  ['110001', '29', 'The PIN code 110001 is not in Karnataka. Correct the PIN code or the state.'],
  ['560001', '29', null],
  ['533464', '34', null],
  ['605001', '34', null],
  ['403001', '30', null],
  ['737101', '11', null],
  ['900056', '27', null],
  ['560001', '97', null],
  ['560001', null, null],
  [null, '27', null],
])('judges the PIN code %s in the state %s', (pin, state, problem) => {
  expect(pinProblem(pin, state)).toBe(problem)
})

test('has at least one postal region for every state', () => {
  const located = Object.keys(GST_STATES).filter((state) =>
    [...'12345678'].some((digit) => pinProblem(`${digit}00001`, state) !== null),
  )
  expect(located).toHaveLength(Object.keys(GST_STATES).length - 2)
  for (const state of located) {
    expect([...'12345678'].filter((digit) => pinProblem(`${digit}00001`, state) === null)).not.toEqual([])
  }
})
