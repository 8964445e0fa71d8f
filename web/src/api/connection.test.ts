import { expect, test } from 'vitest'
import { CALLS, connection } from './connection.ts'

test('the connection is lost since the first of its lines broke, until the last is mended', () => {
  const stream = Symbol('stream')
  expect(connection.lostSince()).toBeNull()
  connection.broke(CALLS, 2_000)
  connection.broke(stream, 1_000)
  connection.broke(stream, 3_000)
  expect(connection.lostSince()).toBe(1_000)
  connection.mended(stream)
  expect(connection.lostSince()).toBe(2_000)
  connection.mended(CALLS)
  connection.mended(CALLS)
  expect(connection.lostSince()).toBeNull()
})

test('whoever listens hears of each change, and of nothing else', () => {
  let heard = 0
  const letGo = connection.subscribe(() => (heard += 1))
  connection.mended(CALLS)
  connection.broke(CALLS, 1)
  connection.broke(CALLS, 2)
  connection.mended(CALLS)
  letGo()
  connection.broke(CALLS, 3)
  connection.mended(CALLS)
  expect(heard).toBe(2)
})
