import { z } from 'zod'
import { azureOf } from '@trainyard/azure/emulator/azure.ts'
import { parseInput } from '@trainyard/platform/emulator/control/parse-input.ts'
import type { Part } from '@trainyard/platform/emulator/part.ts'
import { RemotePrograms } from './programs.ts'

const desktopShape = z.strictObject({ port: z.int().min(1).max(65_535).nullable() })

/** The machines' terminals and desktops. */
export const remotePart: Part = {
  name: 'remote-access',
  mount(emulated) {
    const context = azureOf(emulated)
    const { server, cloud } = context
    const programs = new RemotePrograms(context)
    const { keys, certificates, realDesktops } = programs
    context.inside.programs = programs

    server.post('/_machines/:name/hostKey', async (request, reply) => {
      const { name } = request.params as { name: string }
      const machines = cloud.machines.existingByName(name)
      if (machines.length === 0) return reply.code(404).send({ error: `No machine is named ${name}.` })
      for (const { uid, name } of machines) {
        keys.change(uid)
        await certificates.change(uid, name)
      }
      return { changed: machines.map(({ id }) => id) }
    })

    server.post('/_machines/:name/desktop', (request, reply) => {
      const { name } = request.params as { name: string }
      const { port } = parseInput(desktopShape, request.body)
      const machines = cloud.machines.existingByName(name)
      if (machines.length === 0) return reply.code(404).send({ error: `No machine is named ${name}.` })
      for (const { uid } of machines) realDesktops.setPort(uid, port)
      return { port }
    })
  },
}
