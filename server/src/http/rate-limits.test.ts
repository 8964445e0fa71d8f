import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { clientNetwork } from './rate-limits.ts'

test('a client that leaves before its call is counted causes no unexpected error', async ({ onTestFinished }) => {
  const server = fastify()
  onTestFinished(() => server.close())
  const counted = new Promise((resolve) => {
    server.get('/', async (request, reply) => {
      socket.destroy()
      await once(reply.raw, 'close')
      try {
        resolve(clientNetwork(request))
      } catch (error) {
        resolve(error)
      }
    })
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: portal\r\n\r\n')
  expect(await counted).toMatchObject({ code: 'unavailable', message: 'The client closed the connection.' })
})
