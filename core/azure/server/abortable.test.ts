import { expect, test } from 'vitest'
import { abortable } from './abortable.ts'

test('rejects at once if the caller was already aborted', async () => {
  const work = Promise.withResolvers<string>()
  await expect(abortable('the read', work.promise, AbortSignal.abort())).rejects.toThrow('the read was aborted.')
})

test('rejects for the aborted caller, while the work continues for the other callers', async () => {
  const work = Promise.withResolvers<string>()
  const off = new AbortController()
  const [one, other] = [
    abortable('the read', work.promise, off.signal),
    abortable('the read', work.promise, new AbortController().signal),
  ]
  off.abort()
  await expect(one).rejects.toThrow('the read was aborted.')
  work.resolve('seen')
  expect(await other).toBe('seen')
})
