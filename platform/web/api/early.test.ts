import { afterEach, expect, it, vi } from 'vitest'
import { requestEarly, takeEarly } from './early.ts'

afterEach(() => vi.unstubAllGlobals())

it('hands the reply to an early call to one caller of the same address', async () => {
  const sent = vi.fn<typeof fetch>(async () => new Response('[]'))
  vi.stubGlobal('fetch', sent)
  const reply = requestEarly('/api/azure/machines?trainingName=Linux+101', 'token')
  expect(sent).toHaveBeenCalledWith('/api/azure/machines?trainingName=Linux+101', {
    headers: { accept: 'application/json', authorization: 'Bearer token' },
    credentials: 'same-origin',
    signal: expect.any(AbortSignal),
  })
  expect(takeEarly('/api/azure/machines?trainingName=Linux+102')).toBeUndefined()
  expect(takeEarly('/api/azure/machines?trainingName=Linux+101')).toBe(reply)
  expect(takeEarly('/api/azure/machines?trainingName=Linux+101')).toBeUndefined()
})
