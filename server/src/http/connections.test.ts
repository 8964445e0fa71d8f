import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { limitConnections } from './server.ts'

test('the address of a client can be read after the client has left', async ({ onTestFinished }) => {
  const server = fastify()
  onTestFinished(() => server.close())
  limitConnections(server)
  const address = new Promise((resolve) => {
    server.get('/', async (request, reply) => {
      socket.destroy()
      await once(reply.raw, 'close')
      resolve(request.ip)
    })
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: portal\r\n\r\n')
  expect(await address).toBe('127.0.0.1')
})
