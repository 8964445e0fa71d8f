import { z } from 'zod'
import { defineCall } from '../call.ts'
import { PORT_PRIORITY_MAX, PORT_PRIORITY_MIN } from '../words/limits.ts'
import { isPrefix, PORT_PROTOCOLS } from '../words/network.ts'
import { message, trainingRef } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const
const portNumber = z.int('must be a whole number').min(1, 'must be at least 1').max(65535, 'must be at most 65535')

export const port = {
  list: defineCall({
    method: 'GET',
    path: '/azure/ports',
    roles: admins,
    freshProof: 'none: reads only',
    publicApi: { scope: 'port:read', operation: 'listPorts' },
    summary: 'Lists the open ports of a training in ascending order, and whether they are in effect at the provider.',
    query: trainingRef,
    reply: z.object({
      ports: z.array(z.int()),
      /** Protocol and source of each of these ports. */
      rules: z.array(
        z.object({
          port: z.int(),
          protocol: z.enum(PORT_PROTOCOLS),
          /** IPv4 prefix, or null for any address. */
          source: z.string().nullable(),
        }),
      ),
      pending: z.boolean(),
      lastError: z.string().nullable(),
    }),
  }),
  open: defineCall({
    method: 'POST',
    path: '/azure/ports',
    roles: admins,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'port:write', operation: 'openPort' },
    summary:
      'Opens a port on every machine of a training, including machines ordered later. If the priority is taken, the next free one is used.',
    body: trainingRef.extend({
      port: portNumber,
      priority: z.int().min(PORT_PRIORITY_MIN).max(PORT_PRIORITY_MAX),
      /** Default: TCP and UDP. */
      protocol: z.enum(PORT_PROTOCOLS).optional(),
      /** IPv4 prefix such as 203.0.113.0/24. By default, any address is allowed. */
      source: z.string().max(18).refine(isPrefix, 'must be an address range such as 203.0.113.0/24').optional(),
    }),
    reply: message,
    creates: true,
  }),
  close: defineCall({
    method: 'DELETE',
    path: '/azure/ports',
    roles: admins,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'port:write', operation: 'closePort' },
    summary: 'Closes a port of a training. Established connections stay open until they end.',
    body: trainingRef.extend({ port: portNumber }),
    reply: message,
  }),
}
