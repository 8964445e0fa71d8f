import { expect, onTestFinished, test } from 'vitest'
import { serveMetrics } from './metrics-server.ts'

test('answers the liveness probe while the metrics wait for the database', async () => {
  const server = await serveMetrics(
    { host: '127.0.0.1', port: 0 },
    { type: 'text/plain', text: () => new Promise(() => {}) },
  )
  onTestFinished(() => server.stop())
  const send = (path: string) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { signal: AbortSignal.timeout(500) }).then(
      ({ status }) => status,
      (error: Error) => error.name,
    )
  expect(await Promise.all(['/metrics', '/live', '/other'].map(send))).toEqual(['TimeoutError', 200, 404])
})
