import { z } from 'zod'
import { call, type ReplyOf } from '@trainyard/platform/contract/call.ts'
import { templateName, trainingRef } from '@trainyard/platform/contract/shapes.ts'
import { READY_MACHINES_MAX, READY_POWERS } from './ready-pool-words.ts'

const admins = ['admin', 'superadmin'] as const
const COUNT = `must be a whole number from 1 to ${READY_MACHINES_MAX}`

const settings = {
  /** Number of machines kept ready. */
  machines: z
    .int(COUNT)
    .min(1, COUNT)
    .max(READY_MACHINES_MAX, COUNT)
    .meta({ examples: [3] }),
  /** Running machines are ready at once and billed while they wait. Stopped ones are started when they are ordered. */
  power: z.enum(READY_POWERS),
  guacamole: z.boolean(),
}

export const readyPool = {
  read: call({
    route: 'GET /azure/readyPool',
    for: admins,
    public: { scope: 'machine:read', operation: 'getReadyPool' },
    does: 'Returns which machines a training keeps ready for orders and how many are ready, or null if it keeps none.',
    query: trainingRef,
    reply: z.object({
      pool: z
        .object({
          /** Null if the template was deleted. */
          templateName: templateName.nullable(),
          ...settings,
          /** Price of one machine per hour while it runs. */
          paisePerHour: z.int().meta({ examples: [1_750] }),
          ready: z.int().meta({ examples: [2] }),
          preparing: z.int().meta({ examples: [1] }),
          failing: z.int().meta({ examples: [0] }),
          /** Why a machine is failing; null if none is. */
          failure: z.string().nullable(),
          /** Why no machine is added now; null if none is missing. */
          paused: z.string().nullable(),
        })
        .nullable(),
    }),
  }),
  set: call({
    route: 'POST /azure/readyPool',
    for: admins,
    public: { scope: 'order:create', operation: 'setReadyPool' },
    does: 'Keeps machines ready for later orders of a training. The customer pays for the time in which they run.',
    audit: 'set the ready machines of a training',
    body: trainingRef.extend({ templateName, ...settings }),
  }),
  remove: call({
    route: 'DELETE /azure/readyPool',
    for: admins,
    public: { scope: 'order:create', operation: 'deleteReadyPool' },
    does: 'Keeps no more machines ready, and deletes those that wait.',
    audit: 'removed the ready machines of a training',
    query: trainingRef,
  }),
}

export type Pool = NonNullable<ReplyOf<typeof readyPool.read>['pool']>

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    readyPool: typeof readyPool
  }
}
