import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Clock } from '#src/clock/clock.ts'
import { asked } from '#src/control/asked.ts'

const shape = z.strictObject({
  resourceGroup: z.string(),
  name: z.string().default('machine'),
  size: z.string().default('Standard_B1s'),
})

/** A network that is being made can't be referred to yet: a person would press the button again. */
const TRIES = 10

export type NewLabMachine = z.infer<typeof shape>

/** A call of Azure's interface as a user of the directory makes it, into one resource group. */
export function asLabUser(server: FastifyInstance, user: string, resourceGroup: string) {
  const group = `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/${resourceGroup}`
  return {
    group,
    ask: (method: 'GET' | 'PUT' | 'POST', path: string, version: string, payload?: object) =>
      server.inject({
        method,
        url: `${group}${path}?api-version=${version}`,
        headers: { authorization: `Bearer user:${user}` },
        ...(payload === undefined ? {} : { payload }),
      }),
  }
}

/**
 * A machine with its network, address and networkInterface, put into a group by a user of the directory in calls of Azure's own
 * interface: refused where the user can't sign in, has no role there, or a policy forbids it. Answers the last reply.
 */
export async function putLabMachine(server: FastifyInstance, clock: Clock, user: string, machine: NewLabMachine) {
  const { group, ask } = asLabUser(server, user, machine.resourceGroup)
  const patiently = async (method: 'GET' | 'PUT', path: string, version: string, payload?: object) => {
    for (let turn = 1; ; turn++) {
      const answer = await ask(method, path, version, payload)
      if (answer.statusCode !== 429 || turn === TRIES || clock.mode === 'stepped') return answer
      await pause(1_000)
    }
  }
  let answer = await patiently('GET', '', '2024-11-01')
  const { location } = answer.json<{ location?: string }>()
  for (const { path, version, body } of parts(group, machine.name, machine.size)) {
    if (answer.statusCode >= 300) break
    answer = await patiently('PUT', path, version, { location, ...body })
  }
  return answer
}

export function mountAsLabUser(server: FastifyInstance, clock: Clock): void {
  server.post('/_as/:user/machines', async (request, reply) => {
    const read = asked(shape, request.body ?? {})
    const { user } = request.params as { user: string }
    try {
      const answer = await putLabMachine(server, clock, user, read)
      return await reply.code(answer.statusCode).send(answer.json())
    } catch {
      // A fault that was asked for struck the user's own call.
      return reply.code(502).send({ error: 'There was no answer that could be read.' })
    }
  })
}

function parts(group: string, name: string, size: string) {
  const network = `/providers/Microsoft.Network`
  const on = (path: string, body: object) => ({ path, version: '2024-05-01', body })
  const address = `${network}/publicIPAddresses/${name}-ip`
  const networkInterface = `${network}/networkInterfaces/${name}-nic`
  return [
    on(`${network}/virtualNetworks/net`, {
      properties: {
        addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
        subnets: [{ name: 'default', properties: { addressPrefix: '10.0.0.0/24' } }],
      },
    }),
    on(address, { sku: { name: 'Standard' }, properties: { publicIPAllocationMethod: 'Static' } }),
    on(networkInterface, {
      properties: {
        ipConfigurations: [
          {
            name: 'primary',
            properties: {
              subnet: { id: `${group}${network}/virtualNetworks/net/subnets/default` },
              publicIPAddress: { id: `${group}${address}` },
            },
          },
        ],
      },
    }),
    {
      path: `/providers/Microsoft.Compute/virtualMachines/${name}`,
      version: '2024-07-01',
      body: {
        properties: {
          hardwareProfile: { vmSize: size },
          storageProfile: {
            imageReference: { publisher: 'Canonical', offer: 'ubuntu-24_04-lts', sku: 'server', version: 'latest' },
            osDisk: { name: `${name}-os`, createOption: 'FromImage' },
          },
          osProfile: { computerName: 'lab', adminUsername: 'learner', adminPassword: 'Sup3r-secret' },
          networkProfile: { networkInterfaces: [{ id: `${group}${networkInterface}`, properties: { primary: true } }] },
        },
      },
    },
  ]
}
