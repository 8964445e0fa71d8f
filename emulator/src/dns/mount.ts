import { createSocket, type Socket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { asked } from '#src/control/asked.ts'
import { questionIn, replyTo } from '#src/dns/wire.ts'
import type { Settings } from '#src/record/settings.ts'

const recordShape = z.strictObject({ name: z.string().min(1).max(253), texts: z.array(z.string().max(1_000)).max(20) })

const settingOf = (name: string): string => `dns.${name.toLowerCase()}`

/**
 * A name server for texts alone. It answers over UDP at the number of the server's own port, and takes the texts of a
 * name as whoever owns the domain would publish them.
 */
export function mountDns(server: FastifyInstance, settings: Settings): void {
  server.post('/_dns', (request) => {
    const { name, texts } = asked(recordShape, request.body)
    settings.write(settingOf(name), JSON.stringify(texts))
    return { name, texts }
  })

  let socket: Socket | undefined
  server.addHook('onListen', async () => {
    const { port, address } = server.server.address() as AddressInfo
    socket = createSocket('udp4')
    socket.on('error', ({ message }) => process.stderr.write(`The emulator's name server: ${message}\n`))
    socket.on('message', (message, asker) => {
      const question = questionIn(message)
      if (question === undefined) return
      const texts = JSON.parse(settings.read(settingOf(question.name)) ?? '[]') as string[]
      socket?.send(replyTo(message, question, texts), asker.port, asker.address)
    })
    socket.bind(port, address)
  })
  server.addHook('preClose', async () => {
    socket?.close()
  })
}
