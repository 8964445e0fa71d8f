import { expect, test } from 'vitest'
import { nextStep } from './pace.ts'

test('advances by 20 %, never beyond the completed work', () => {
  expect(nextStep(0, 0, 10)).toBe(0)
  expect(nextStep(0, 1, 10)).toBe(0)
  expect(nextStep(0, 2, 10)).toBe(20)
  expect(nextStep(20, 3, 10)).toBe(20)
  expect(nextStep(80, 9, 10)).toBe(80)
  expect(nextStep(80, 10, 10)).toBe(100)
})

test('takes five steps, even if the work is fast', () => {
  const steps = [0]
  while (steps.at(-1)! < 100) steps.push(nextStep(steps.at(-1)!, 1_000, 1_000))
  expect(steps).toEqual([0, 20, 40, 60, 80, 100])
  expect(nextStep(100, 1_000, 1_000)).toBe(100)
})

test('shows 100 % only when all work is completed', () => {
  for (let done = 0; done < 1_000; done++) expect(nextStep(80, done, 1_000)).toBe(80)
})
