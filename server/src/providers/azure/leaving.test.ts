import { expect, test } from 'vitest'
import { leaving } from './leaving.ts'

test('who was called off before shared work began waits for none of it', async () => {
  const work = Promise.withResolvers<string>()
  await expect(leaving('the look', work.promise, AbortSignal.abort())).rejects.toThrow('the look was broken off.')
})

test('who is called off leaves, and the work goes on for the others', async () => {
  const work = Promise.withResolvers<string>()
  const off = new AbortController()
  const [one, other] = [
    leaving('the look', work.promise, off.signal),
    leaving('the look', work.promise, new AbortController().signal),
  ]
  off.abort()
  await expect(one).rejects.toThrow('the look was broken off.')
  work.resolve('seen')
  expect(await other).toBe('seen')
})
