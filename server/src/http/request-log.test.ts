import { Writable } from 'node:stream'
import fastify, { LogController } from 'fastify'
import { expect, test } from 'vitest'
import { logRequests } from './request-log.ts'

// @covers A18
test('logs route and status, but neither successful reads nor rate-limited requests', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const server = fastify({
    logger: { level: 'info', stream },
    logController: new LogController({ disableRequestLogging: true }),
  })
  logRequests(server)
  server.all('/status/:status', async (request, reply) => {
    await reply.code(Number((request.params as { status: string }).status)).send('')
  })
  const ask = (method: 'GET' | 'POST', status: number) => server.inject({ method, url: `/status/${status}?secret` })
  for (const status of [200, 429]) await ask('GET', status)
  for (const status of [200, 401, 429, 500]) await ask('POST', status)
  await server.close()
  const told = lines.map((line) => JSON.parse(line) as { level: number; route: string; status: number })
  expect(told.map(({ level, route, status }) => [level, route, status])).toEqual([
    [30, '/status/:status', 200],
    [30, '/status/:status', 401],
    [50, '/status/:status', 500],
  ])
  expect(lines.join('')).not.toContain('secret')
})
