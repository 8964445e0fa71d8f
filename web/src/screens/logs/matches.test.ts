import { expect, test } from 'vitest'
import { matchesOf } from './matches.ts'

const names = ['lab-1', 'lab-2', 'asha-box']
const learners = ['natasha@acme.test', 'asha@acme.test', 'zoe@acme.test']
const found = (typed: string) => matchesOf(names, learners, typed).map(({ name }) => name)

test('a machine is found by its learner or its name, those that begin with the text first', () => {
  expect(found(' ASHA')).toEqual(['lab-2', 'asha-box', 'lab-1'])
  expect(found('zoe')).toEqual(['asha-box'])
  expect(found('nobody')).toEqual([])
  expect(found('  ')).toEqual([])
})
