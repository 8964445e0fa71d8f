import { z } from 'zod'
import { defineCall } from '../call.ts'

const part = z.enum(['up', 'down'])

export const health = {
  check: defineCall({
    method: 'GET',
    path: '/health',
    roles: 'anyone',
    summary: '200 when every part is up; 503 with the state of each part otherwise.',
    reply: z.object({
      status: part,
      parts: z.object({ database: part, worker: part, cloud: part, mail: part }),
      /** The clock's last jump of the past hour: when, and by how many seconds (negative: back). null: there was none. */
      clockJump: z.object({ at: z.iso.datetime(), seconds: z.number() }).nullable(),
    }),
  }),

  prove: defineCall({
    method: 'GET',
    path: '/health/proof',
    roles: 'anyone',
    summary: 'Proves over a nonce, to who has the same keys, that this very portal answers here.',
    query: z.strictObject({ nonce: z.string().regex(/^[\w-]{22,64}$/) }),
    reply: z.object({ portal: z.string(), webhook: z.string().nullable() }),
  }),
}
