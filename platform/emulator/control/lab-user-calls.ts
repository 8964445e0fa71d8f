import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../clock/clock.ts'
import { parseInput } from './parse-input.ts'

const shape = z.strictObject({
  resourceGroup: z.string(),
  name: z.string().default('machine'),
  size: z.string().default('Standard_B1s'),
})

/** Attempts of a call that answers 429, for example because a network is still being created. */
const MAX_ATTEMPTS = 10

export type NewLabMachine = z.infer<typeof shape>

export function callsAsLabUser(server: FastifyInstance, user: string, resourceGroup: string) {
  const group = `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/${resourceGroup}`
  return {
    group,
    call: (method: 'GET' | 'PUT' | 'POST', path: string, version: string, payload?: object) =>
      server.inject({
        method,
        url: `${group}${path}?api-version=${version}`,
        headers: { authorization: `Bearer user:${user}` },
        ...(payload === undefined ? {} : { payload }),
      }),
  }
}

/** Calls Azure's own interface as a user of the directory, so that roles and policies apply. */
export async function createLabMachine(server: FastifyInstance, clock: Clock, user: string, machine: NewLabMachine) {
  const { group, call } = callsAsLabUser(server, user, machine.resourceGroup)
  const callWithRetry = async (method: 'GET' | 'PUT', path: string, version: string, payload?: object) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await call(method, path, version, payload)
      if (answer.statusCode !== 429 || attempt === MAX_ATTEMPTS || clock.mode === 'stepped') return answer
      await pause(1_000)
    }
  }
  let answer = await callWithRetry('GET', '', '2024-11-01')
  const { location } = answer.json<{ location?: string }>()
  for (const { path, version, body } of resourcesOf(group, machine.name, machine.size)) {
    if (answer.statusCode >= 300) break
    answer = await callWithRetry('PUT', path, version, { location, ...body })
  }
  return answer
}

export function mountLabUserCalls(server: FastifyInstance, clock: Clock): void {
  server.post('/_as/:user/machines', async (request, reply) => {
    const read = parseInput(shape, request.body ?? {})
    const { user } = request.params as { user: string }
    try {
      const answer = await createLabMachine(server, clock, user, read)
      return await reply.code(answer.statusCode).send(answer.json())
    } catch {
      // An injected fault broke the user's own call.
      return reply.code(502).send({ error: 'The reply was missing or could not be parsed.' })
    }
  })
}

function resourcesOf(group: string, name: string, size: string) {
  const network = `/providers/Microsoft.Network`
  const networkRequest = (path: string, body: object) => ({ path, version: '2024-05-01', body })
  const address = `${network}/publicIPAddresses/${name}-ip`
  const networkInterface = `${network}/networkInterfaces/${name}-nic`
  return [
    networkRequest(`${network}/virtualNetworks/net`, {
      properties: {
        addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
        subnets: [{ name: 'default', properties: { addressPrefix: '10.0.0.0/24' } }],
      },
    }),
    networkRequest(address, { sku: { name: 'Standard' }, properties: { publicIPAllocationMethod: 'Static' } }),
    networkRequest(networkInterface, {
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
