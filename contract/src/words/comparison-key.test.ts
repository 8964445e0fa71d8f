import { expect, test } from 'vitest'
import { mixesAlphabets, resemblesLatin } from './comparison-key.ts'

test.each([
  ['\u0410-7', true],
  ['\u0391-7', true],
  ['INV-\u0410', true],
  ['\u0417-7', true],
  ['\u0441\u0435', true],
  ['A-7', false],
  ['Счёт-7', false],
  ['Τιμολόγιο 7', false],
  ['बिल-7', false],
  ['7/26', false],
])('%j can pass for a text in Latin script: %s', (text, isSimilar) => {
  expect(resemblesLatin(text)).toBe(isSimilar)
})

test.each(['Asha Rao', 'Мария Орлова', 'Ελένη Παππά', 'आशा राव', 'Åsa Ñandú', 'Maria (Мария)'])(
  'allows the name %s',
  (name) => {
    expect(mixesAlphabets(name)).toBe(false)
  },
)
