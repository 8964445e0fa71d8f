import { expect, test } from 'vitest'
import { matchesOf } from './matches.ts'

const names = ['lab-1', 'lab-2', 'asha-box']
const learners = ['natasha@acme.test', 'asha@acme.test', 'zoe@acme.test']
const found = (entered: string) => matchesOf(names, learners, entered).map(({ name }) => name)

test('finds a machine by learner or name, prefix matches first', () => {
  expect(found(' ASHA')).toEqual(['lab-2', 'asha-box', 'lab-1'])
  expect(found('zoe')).toEqual(['asha-box'])
  expect(found('nobody')).toEqual([])
  expect(found('  ')).toEqual([])
})
