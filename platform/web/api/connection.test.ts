import { expect, test } from 'vitest'
import { CALLS, connection } from './connection.ts'

test('reports the connection as lost from the first lost channel until the last is restored', () => {
  const stream = Symbol('stream')
  expect(connection.lostSince()).toBeNull()
  connection.lose(CALLS, 2_000)
  connection.lose(stream, 1_000)
  connection.lose(stream, 3_000)
  expect(connection.lostSince()).toBe(1_000)
  connection.restore(stream)
  expect(connection.lostSince()).toBe(2_000)
  connection.restore(CALLS)
  connection.restore(CALLS)
  expect(connection.lostSince()).toBeNull()
})

test('notifies a listener of changes only', () => {
  let heard = 0
  const letGo = connection.subscribe(() => (heard += 1))
  connection.restore(CALLS)
  connection.lose(CALLS, 1)
  connection.lose(CALLS, 2)
  connection.restore(CALLS)
  letGo()
  connection.lose(CALLS, 3)
  connection.restore(CALLS)
  expect(heard).toBe(2)
})
