import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { sharedPortal } from '../../test/shared.ts'
import { limitConnections, listen } from './connections.ts'

test('the address of a client can be read after the client has left', async ({ onTestFinished }) => {
  const server = fastify()
  onTestFinished(() => server.close())
  limitConnections(server, { isProxy: () => false })
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

test('silent connections of one network leave places to others, and those of a proxy count as many clients', async ({
  onTestFinished,
}) => {
  const isOpen = async (options: object, from: string) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const socket = connect({ ...options, localAddress: from } as never, () =>
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
    )
    socket
      .once('data', () => resolve(true))
      .once('close', () => resolve(false))
      .on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return promise
  }
  const server = fastify()
  onTestFinished(() => server.close())
  limitConnections(server, { max: 10, isProxy: (address) => address === '127.0.0.3' })
  server.get('/', () => 'page')
  await server.listen({ port: 0, host: '127.0.0.1' })
  const at = { port: (server.server.address() as AddressInfo).port, host: '127.0.0.1' }
  const silent = Array.from({ length: 12 }, () => connect({ ...at, localAddress: '127.0.0.2' } as never))
  onTestFinished(() => silent.forEach((socket) => socket.destroy()))
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  expect(await isOpen(at, '127.0.0.2')).toBe(false)
  expect(await isOpen(at, '127.0.0.1')).toBe(true)
  const proxied = await Promise.all(Array.from({ length: 3 }, () => isOpen(at, '127.0.0.3')))
  expect(proxied).toEqual([true, true, true])
})

test('a connection that sends no complete head is closed after the time for it', async () => {
  const portal = await sharedPortal()
  expect(portal.server.server.headersTimeout).toBe(10_000)
  portal.server.server.headersTimeout = 1
  const silent = connect(Number(new URL(portal.url).port), '127.0.0.1')
  const partial = connect(Number(new URL(portal.url).port), '127.0.0.1')
  partial.write('GET / HTTP/1.1\r\nHost: por')
  await Promise.all([silent, partial].map((socket) => once(socket.resume(), 'close')))
})

const LOCAL = { port: 0, host: '127.0.0.1' }

const portOf = (server: FastifyInstance) => (server.server.address() as AddressInfo).port

async function connectTo(server: FastifyInstance): Promise<Socket> {
  const socket = connect(portOf(server), LOCAL.host)
  await once(socket, 'connect')
  return socket
}

test('a port that another server of the same user listens on is reported', async ({ onTestFinished }) => {
  const [first, second] = [fastify(), fastify()]
  onTestFinished(async () => void (await Promise.all([first.close(), second.close()])))
  await listen(first, LOCAL)
  await expect(listen(second, { ...LOCAL, port: portOf(first) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'listen',
  })
})

test('a closing server completes a call before it releases what the call uses', async ({ onTestFinished }) => {
  const server = fastify({ forceCloseConnections: 'idle' })
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isReleased = false
  server.addHook('onClose', () => (isReleased = true))
  server.get('/', async () => {
    begun.resolve()
    await finish.promise
    return isReleased
  })
  await listen(server, LOCAL)
  const client = await connectTo(server)
  onTestFinished(() => void client.destroy())
  client.write('GET / HTTP/1.1\r\nHost: portal\r\nConnection: close\r\n\r\n')
  await begun.promise
  const closed = server.close()
  await expect.poll(() => connectTo(server).catch(() => 'refused')).toBe('refused')
  finish.resolve()
  expect(await text(client)).toMatch(/^HTTP\/1.1 200[^]*false$/)
  await closed
})
