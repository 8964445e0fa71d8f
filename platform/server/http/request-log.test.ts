import { Writable } from 'node:stream'
import fastify, { LogController } from 'fastify'
import { expect, test } from 'vitest'
import { DiskState } from './disk-state.ts'
import { handleErrors } from './errors.ts'
import { logRequests } from './request-log.ts'

test('logs route and status, but neither successful reads, rate-limited requests nor health checks', async () => {
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
  server.get('/api/health/ready', (_request, reply) => reply.code(503).send(''))
  const callApi = (method: 'GET' | 'POST', status: number) => server.inject({ method, url: `/status/${status}?secret` })
  for (const status of [200, 429]) await callApi('GET', status)
  for (const status of [200, 401, 429, 500]) await callApi('POST', status)
  await server.inject({ method: 'GET', url: '/api/health/ready' })
  await server.close()
  const entries = lines.map((line) => JSON.parse(line) as { level: number; route: string; status: number })
  expect(entries.map(({ level, route, status }) => [level, route, status])).toEqual([
    [30, '/status/:status', 200],
    [30, '/status/:status', 401],
    [50, '/status/:status', 500],
  ])
  expect(lines.join('')).not.toContain('secret')
})

test('logs an overloaded, unreachable or full database in one line, and a bug with its stack trace', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const server = fastify({ logger: { level: 'info', stream } })
  handleErrors(server, new DiskState(null), null)
  const errors: Record<string, Error> = {
    busy: new Error('timeout exceeded when trying to connect'),
    away: Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' }),
    full: Object.assign(new Error('could not extend file'), { code: '53100' }),
    bug: new TypeError('a bug'),
  }
  server.get('/:kind', (request) => {
    throw errors[(request.params as { kind: string }).kind]!
  })
  const logOf = async (kind: string) => {
    lines.length = 0
    const reply = await server.inject({ method: 'GET', url: `/${kind}` })
    return [reply.statusCode, lines.some((line) => line.includes('"stack"'))]
  }
  expect(await logOf('busy')).toEqual([503, false])
  expect(lines.join('')).toContain('timeout exceeded')
  expect(await logOf('away')).toEqual([503, false])
  expect(await logOf('full')).toEqual([503, false])
  expect(await logOf('bug')).toEqual([500, true])
  await server.close()
})
