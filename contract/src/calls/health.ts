import { z } from 'zod'
import { defineCall } from '../call.ts'

const part = z.enum(['up', 'down'])

/** The last run of something that the portal does by itself every so often. */
const task = z.object({
  name: z.string(),
  /** The worker that runs it; null: of all workers one runs it at a time. */
  worker: z.string().nullable(),
  everySeconds: z.number(),
  startedAt: z.iso.datetime().nullable(),
  /** While it runs, of the run before. */
  endedAt: z.iso.datetime().nullable(),
  result: z.enum(['not run yet', 'running', 'done', 'failed']),
  error: z.string().nullable(),
  /** By how much the run began later than it was due. */
  lagSeconds: z.number().nullable(),
})

/** Rows of a kind that workers keep true. */
const rows = z.object({
  kind: z.string(),
  due: z.int(),
  atWork: z.int(),
  failing: z.int(),
  /** How long the one waits that was due first and is not at work. */
  lagSeconds: z.number(),
})

export const health = {
  check: defineCall({
    method: 'GET',
    path: '/health',
    roles: 'anyone',
    summary:
      '200 when every part is up; 503 with the state of each part otherwise. Superadmins read what runs by itself.',
    reply: z.object({
      status: part,
      parts: z.object({ database: part, worker: part, cloud: part, mail: part }),
      /** The clock's last jump of the past hour: when, and by how many seconds (negative: back). null: there was none. */
      clockJump: z.object({ at: z.iso.datetime(), seconds: z.number() }).nullable(),
      /** The tasks that run by themselves, and how they go: for superadmins alone. */
      tasks: z.array(task).optional(),
      rows: z.array(rows).optional(),
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
