import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { publicLookup, type Resolve, resolveInDns } from './private-address.ts'

/** Starts a name server that answers only `good.example`. Returns its address. */
async function startNameServer() {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    if (!query.includes('good')) return
    const isV4 = query.includes(Buffer.from('example\0\0\x01'))
    const reply = Buffer.from(query)
    reply.writeUInt16BE(0x81_80, 2)
    reply.writeUInt16BE(isV4 ? 1 : 0, 6)
    reply.writeUInt16BE(0, 10)
    const question = reply.subarray(0, query.indexOf('example\0') + 12)
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 8, 8, 4, 4])
    socket.send(isV4 ? Buffer.concat([question, answer]) : question, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

const resolved = (resolve: Resolve, host: string): Promise<string> =>
  new Promise((done) => {
    publicLookup(() => false, resolve)(host, { all: true }, (error, found) =>
      done(error === null ? JSON.stringify(found) : `${host} fails`),
    )
  })

test('resolves a host while the name servers of many others do not answer', async () => {
  const server = await startNameServer()
  try {
    const resolve = resolveInDns([server.address])
    const silent = Array.from({ length: 20 }, (_, n) => resolved(resolve, `h${n}.silent.example`))
    const first = await Promise.race([...silent, resolved(resolve, 'good.example')])
    expect(JSON.parse(first)).toEqual([{ address: '8.8.4.4', family: 4 }])
  } finally {
    server.close()
  }
})
