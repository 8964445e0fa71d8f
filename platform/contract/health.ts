import * as limits from './limits.ts'
import { z } from 'zod'
import { call } from './call.ts'
import { instant } from './shapes.ts'

const part = z.enum(['up', 'down'])

const task = z.object({
  name: z.string(),
  /** null if the workers share the task and one runs it at a time. */
  worker: z.string().nullable(),
  everySeconds: z.number(),
  startedAt: instant.nullable(),
  /** End of the task's last completed run, also while the task runs. */
  endedAt: instant.nullable(),
  result: z.enum(['not run yet', 'running', 'done', 'failed']),
  error: z.string().nullable(),
  lagSeconds: z.number().nullable(),
})

const rows = z.object({
  kind: z.string(),
  due: z.int(),
  atWork: z.int(),
  failing: z.int(),
  /** Lag of the row that has been due longest and is not in progress. */
  lagSeconds: z.number(),
})

export const health = {
  check: call({
    route: 'GET /health',
    for: 'anyone',
    does: 'Returns 200 if all parts are up, otherwise 503 with the state of each part. Superadmins also get the background tasks.',
    limit: limits.probes,
    urgency: 'vital',
    reply: z.object({
      status: part,
      /** Version of the portal. */
      version: z.string(),
      /** `disk` is down while the database has no space to write. */
      parts: z.object({ database: part, disk: part, worker: part, cloud: part, mail: part }),
      tasks: z.array(task).optional(),
      rows: z.array(rows).optional(),
    }),
  }),

  live: call({
    route: 'GET /health/live',
    for: 'anyone',
    does: 'Returns 200 if this process answers requests. Queries nothing. For liveness probes.',
    limit: limits.probes,
    urgency: 'probe',
    reply: z.object({ status: z.literal('up') }),
  }),

  ready: call({
    route: 'GET /health/ready',
    for: 'anyone',
    does: 'Returns 200 if this process gets a reply from the database within 3 s, otherwise 503. Ignores worker, cloud and mail server. For readiness probes.',
    limit: limits.probes,
    urgency: 'probe',
    reply: z.object({ status: part }),
  }),

  prove: call({
    route: 'GET /health/proof',
    for: 'anyone',
    does: 'Proves to a holder of the same keys, by signing a nonce, that this address is served by this installation.',
    limit: limits.probes,
    urgency: 'probe',
    query: z.strictObject({ nonce: z.string().regex(/^[\w-]{22,64}$/) }),
    reply: z.object({ portal: z.string(), webhook: z.string().nullable() }),
  }),
}

declare module './contract.ts' {
  interface Contract {
    health: typeof health
  }
}
