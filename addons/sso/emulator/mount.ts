import { createSocket, type Socket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { parseInput } from '@trainyard/platform/emulator/control/parse-input.ts'
import { parseQuestion, encodeReply } from './wire.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'

const recordShape = z.strictObject({ name: z.string().min(1).max(253), texts: z.array(z.string().max(1_000)).max(20) })

const settingOf = (name: string): string => `dns.${name.toLowerCase()}`

/** Answers TXT queries over UDP on the HTTP server's port. `POST /_dns` publishes the texts of a name. */
export function mountDns({ server, settings }: Emulated): void {
  server.post('/_dns', (request) => {
    const { name, texts } = parseInput(recordShape, request.body)
    settings.write(settingOf(name), JSON.stringify(texts))
    return { name, texts }
  })

  let socket: Socket | undefined
  server.addHook('onListen', async () => {
    const { port, address } = server.server.address() as AddressInfo
    socket = createSocket('udp4')
    socket.on('error', ({ message }) => process.stderr.write(`DNS server of the emulator: ${message}\n`))
    socket.on('message', (message, client) => {
      const question = parseQuestion(message)
      if (question === undefined) return
      const texts = JSON.parse(settings.read(settingOf(question.name)) ?? '[]') as string[]
      socket?.send(encodeReply(message, question, texts), client.port, client.address)
    })
    socket.bind(port, address)
  })
  server.addHook('preClose', async () => {
    socket?.close()
  })
}
