import { expect, it } from 'vitest'
import { begin, type Send, takeBegun } from './ahead.ts'

/** Answers with its own number, and fails when told to. */
function counting() {
  let made = 0
  const send: Send = async (_module, name) => {
    made += 1
    if (name === 'fails') throw new Error(`number ${made}`)
    return made
  }
  return { take: takeBegun(send), start: begin(send), made: () => made }
}

it('gives the answer of a call that was begun to the next who makes it, once', async () => {
  const { take, start, made } = counting()
  void start('machine', 'list', { trainingName: 'Linux 101' }, {})
  expect(await take('machine', 'list', { trainingName: 'Linux 101' }, {})).toBe(1)
  expect(await take('machine', 'list', { trainingName: 'Linux 101' }, {})).toBe(2)
  expect(made()).toBe(2)
})

it('takes calls for the same one where what they ask about is the same, however it is written', async () => {
  const { take, start } = counting()
  void start('machine', 'list', { trainingName: 'Linux 101', organization: undefined }, {})
  expect(await take('machine', 'list', { trainingName: 'Linux 102' }, {})).toBe(2)
  expect(await take('machine', 'names', { trainingName: 'Linux 101' }, {})).toBe(3)
  expect(await take('machine', 'list', { trainingName: 'Linux 101' }, {})).toBe(1)
  void start('session', 'me', undefined, {})
  expect(await take('session', 'me', {}, {})).toBe(4)
})

it('hands on that a call failed, and makes it anew for whoever tries again', async () => {
  const { take, start } = counting()
  start('machine', 'fails', undefined, {}).catch(() => undefined)
  await expect(take('machine', 'fails', undefined, {})).rejects.toThrow('number 1')
  await expect(take('machine', 'fails', undefined, {})).rejects.toThrow('number 2')
})
