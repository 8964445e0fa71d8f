import { expect, test } from 'vitest'
import { Problem } from '../../core/errors.ts'
import { takeTurns, type Waiting } from './turns.ts'

/** One works at a time; answers the order in which those that wait are let in. */
async function orderOf(waiting: readonly (Waiting & { readonly name: string })[]): Promise<string[]> {
  const inTurn = takeTurns({ atOnce: 1, waiting: 100, waitingPerAddress: 100 })
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const stranger = { known: false, address: 'x', account: 'x' }
  const all = [
    inTurn(stranger, () => first.promise),
    ...waiting.map((one) => inTurn(one, async () => void order.push(one.name))),
  ]
  first.resolve()
  await Promise.all(all)
  return order
}

const crowd = (address: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    known: false,
    address,
    account: `${address}${i}`,
    name: `${address}${i}`,
  }))

test('who comes behind a crowd of one address waits for one turn of it, not for all', async () => {
  const late = { known: false, address: 'home', account: 'owner', name: 'owner' }
  expect((await orderOf([...crowd('a', 20), late])).indexOf('owner')).toBe(1)
  expect((await orderOf([...crowd('a', 20), ...crowd('b', 20), ...crowd('c', 20), late])).indexOf('owner')).toBe(3)
})

test('who comes behind a crowd that guesses for one account waits for one turn of it, at the same address too', async () => {
  const guesses = Array.from({ length: 20 }, (_, i) => ({
    known: false,
    address: 'school',
    account: 'one',
    name: `guess${i}`,
  }))
  const late = { known: false, address: 'school', account: 'other', name: 'other' }
  expect((await orderOf([...guesses, late])).indexOf('other')).toBe(1)
})

test('a known browser waits for one stranger, however many addresses these come from', async () => {
  const strangers = Array.from({ length: 50 }, (_, i) => crowd(`a${i}.`, 1)).flat()
  const owner = { known: true, address: 'home', account: 'owner', name: 'owner' }
  expect((await orderOf([...strangers, owner])).indexOf('owner')).toBeLessThan(2)
})

test('those of one account come in their order', async () => {
  const mine = ['one', 'two', 'three'].map((name) => ({ known: false, address: 'home', account: 'owner', name }))
  expect(await orderOf(mine)).toEqual(['one', 'two', 'three'])
})

test('an address that has its many waiting is refused more, and others are not', async () => {
  const inTurn = takeTurns({ atOnce: 1, waiting: 5, waitingPerAddress: 3 })
  const held = Promise.withResolvers<void>()
  const from = (address: string) => inTurn({ known: false, address, account: 'x' }, () => held.promise)
  const waiting = [from('a'), from('a'), from('a'), from('a')]
  await expect(from('a')).rejects.toEqual(expect.any(Problem))
  waiting.push(from('b'), from('b'))
  // Now the room is full for all.
  await expect(from('c')).rejects.toMatchObject({ code: 'tooMany', retryAfter: 5 })
  held.resolve()
  await Promise.all(waiting)
  await from('a')
})

test('work that fails hands its place on', async () => {
  const inTurn = takeTurns({ atOnce: 1, waiting: 5, waitingPerAddress: 5 })
  const who = { known: false, address: 'a', account: 'x' }
  const all = [1, 2, 3].map(() => inTurn(who, () => Promise.reject(new Error('no'))))
  expect((await Promise.allSettled(all)).every(({ status }) => status === 'rejected')).toBe(true)
  expect(await inTurn(who, async () => 'in')).toBe('in')
})
