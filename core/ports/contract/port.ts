import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { PORT_PRIORITY_MAX, PORT_PRIORITY_MIN } from '@trainyard/platform/contract/words/limits.ts'
import { isPrefix, PORT_PROTOCOLS } from '@trainyard/platform/contract/words/network.ts'
import { trainingRef } from '@trainyard/platform/contract/shapes.ts'

const admins = ['admin', 'superadmin'] as const
const PORT = 'Enter a whole number from 1 to 65535.'
export const portNumber = z
  .int(PORT)
  .min(1, PORT)
  .max(65535, PORT)
  .meta({ examples: [8080] })

export const port = {
  list: call({
    route: 'GET /azure/ports',
    for: admins,
    public: { scope: 'port:read', operation: 'listPorts' },
    does: 'Lists the open ports of a training in ascending order, and whether they are in effect at the provider.',
    query: trainingRef,
    reply: z.object({
      ports: z.array(z.int()).meta({ examples: [[8080]] }),
      /** Protocol and source of each of these ports. */
      rules: z.array(
        z.object({
          port: z.int().meta({ examples: [8080] }),
          protocol: z.enum(PORT_PROTOCOLS),
          /** IPv4 prefix, or null for any address. */
          source: z.string().nullable(),
        }),
      ),
      pending: z.boolean().meta({ examples: [false] }),
      lastError: z.string().nullable(),
    }),
  }),
  open: call({
    route: 'POST /azure/ports',
    for: admins,
    public: { scope: 'port:write', operation: 'openPort' },
    does: 'Opens a port on every machine of a training, including machines ordered later. If the priority is taken, the next free one is used.',
    audit: 'opened a port',
    body: trainingRef.extend({
      port: portNumber,
      priority: z
        .int()
        .min(PORT_PRIORITY_MIN)
        .max(PORT_PRIORITY_MAX)
        .meta({ examples: [1_001] }),
      /** Default: TCP and UDP. */
      protocol: z.enum(PORT_PROTOCOLS).optional(),
      /** IPv4 prefix such as 203.0.113.0/24. By default, any address is allowed. */
      source: z
        .string()
        .max(18)
        .refine(isPrefix, 'must be an address range such as 203.0.113.0/24')
        .optional()
        .meta({ examples: ['203.0.113.0/24'] }),
    }),
    reply: z.object({
      message: z.string().meta({ examples: ['Port 8080 is being opened on every machine of Python for beginners.'] }),
    }),
    once: true,
  }),
  close: call({
    route: 'DELETE /azure/ports',
    for: admins,
    public: { scope: 'port:write', operation: 'closePort' },
    does: 'Closes a port of a training. Established connections stay open until they end.',
    audit: 'closed a port',
    body: trainingRef.extend({ port: portNumber }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    port: typeof port
  }
}
