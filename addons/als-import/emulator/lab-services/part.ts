import { z } from 'zod'
import { mountAzure } from '@trainyard/azure/emulator/arm/mount.ts'
import { azureOf } from '@trainyard/azure/emulator/azure.ts'
import { allLabServicesEffects, labServicesOperations } from './lab-services.ts'
import { labsShape, seedLabs } from './seed.ts'
import { registerUser } from './users.ts'
import { parseInput } from '@trainyard/platform/emulator/control/parse-input.ts'
import type { Part } from '@trainyard/platform/emulator/part.ts'

const registrationShape = z.strictObject({
  lab: z.string().startsWith('/subscriptions/'),
  user: z.string(),
  displayName: z.string(),
  totalUsage: z.string().startsWith('P').default('PT0S'),
})

/** Azure Lab Services, in the subscription of the emulated Azure. */
export const labServicesPart: Part = {
  name: 'als-import',
  mount(emulated) {
    const context = azureOf(emulated)
    const { server, cloud, clock } = context
    cloud.operations.registerEffects(allLabServicesEffects(cloud))
    mountAzure(context, labServicesOperations(cloud))

    server.post('/_labs', (request, reply) => {
      const read = parseInput(labsShape, request.body)
      cloud.database.transaction(() => seedLabs(cloud, read, clock.now()))
      return reply.code(201).send({ labs: read.labs.length })
    })
    server.post('/_labs/register', (request, reply) => {
      const read = parseInput(registrationShape, request.body)
      if (cloud.database.transaction(() => registerUser(cloud, read, clock.now()))) return read
      return reply.code(404).send({ error: `${read.lab} has no user ${read.user}.` })
    })
  },
}
