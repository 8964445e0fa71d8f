import { z } from 'zod'
import { defineCall } from '../call.ts'
import { PORT_PRIORITY_MAX, PORT_PRIORITY_MIN } from '../words/limits.ts'
import { message, ofTraining } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const
const portNumber = z.int('must be a whole number').min(1, 'must be at least 1').max(65535, 'must be at most 65535')

export const port = {
  list: defineCall({
    method: 'GET',
    path: '/azure/ports',
    roles: admins,
    summary: 'The ports open on every machine of a training, lowest first, and whether they hold at the provider yet.',
    query: ofTraining,
    reply: z.object({ ports: z.array(z.int()), pending: z.boolean(), lastError: z.string().nullable() }),
  }),
  open: defineCall({
    method: 'POST',
    path: '/azure/ports',
    roles: admins,
    summary: 'Opens a port on every machine of a training, those ordered later too. The priority sent is a wish.',
    body: ofTraining.extend({
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
    summary: 'Closes a port of a training. Connections that are open live on until they end.',
    body: ofTraining.extend({ port: portNumber }),
    reply: message,
  }),
}
