import { z } from 'zod'
import { defineCall } from '../call.ts'
import { PORT_PRIORITY_MAX, PORT_PRIORITY_MIN } from '../words/limits.ts'
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
    reply: z.object({ ports: z.array(z.int()), pending: z.boolean(), lastError: z.string().nullable() }),
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
