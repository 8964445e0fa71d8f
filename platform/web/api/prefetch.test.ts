import { expect, it } from 'vitest'
import { prefetchBy, type Send, takePrefetched, takeReplies } from './prefetch.ts'

/** Returns a fake sender that replies with the number of the call, or rejects for the name `fails`. */
function counting() {
  let requestCount = 0
  const send: Send = async (_module, name) => {
    requestCount += 1
    if (name === 'fails') throw new Error(`number ${requestCount}`)
    return requestCount
  }
  return { take: takePrefetched(send), start: prefetchBy(send), made: () => requestCount }
}

it('hands a prefetched reply to the next caller once', async () => {
  const { take, start, made: requestCount } = counting()
  void start('machine', 'list', { trainingName: 'Linux 101' }, {})
  expect(await take('machine', 'list', { trainingName: 'Linux 101' }, {})).toBe(1)
  expect(await take('machine', 'list', { trainingName: 'Linux 101' }, {})).toBe(2)
  expect(requestCount()).toBe(2)
})

it('treats calls with equal inputs as the same call', async () => {
  const { take, start } = counting()
  void start('machine', 'list', { trainingName: 'Linux 101', organization: undefined }, {})
  expect(await take('machine', 'list', { trainingName: 'Linux 102' }, {})).toBe(2)
  expect(await take('machine', 'names', { trainingName: 'Linux 101' }, {})).toBe(3)
  expect(await take('machine', 'list', { trainingName: 'Linux 101' }, {})).toBe(1)
  void start('session', 'me', undefined, {})
  expect(await take('session', 'me', {}, {})).toBe(4)
})

it('rejects the caller of a failed prefetch and makes a new call on the next try', async () => {
  const { take, start } = counting()
  start('machine', 'fails', undefined, {}).catch(() => undefined)
  await expect(take('machine', 'fails', undefined, {})).rejects.toThrow('number 1')
  await expect(take('machine', 'fails', undefined, {})).rejects.toThrow('number 2')
})

it('returns the replies that have arrived, and does not hand them to a later caller', async () => {
  const { take, start } = counting()
  void start('machine', 'list', { trainingName: 'Linux 101' }, {})
  start('machine', 'fails', undefined, {}).catch(() => undefined)
  expect(takeReplies()).toEqual([])
  await Promise.resolve()
  expect(takeReplies()).toEqual([{ queryKey: ['machine', 'list', { trainingName: 'Linux 101' }], reply: 1 }])
  expect(takeReplies()).toEqual([])
  expect(await take('machine', 'list', { trainingName: 'Linux 101' }, {})).toBe(3)
})
