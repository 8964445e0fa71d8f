import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ofTraining } from './shapes.ts'

export const usage = {
  daily: defineCall({
    method: 'GET',
    path: '/azure/usage',
    roles: ['user', 'admin', 'superadmin'],
    summary:
      "What a training used (hours) and cost (rupees) on each of the last days of the organisation's zone, oldest first; days without a run are there with 0. A user's own machines alone.",
    query: ofTraining.extend({ days: z.enum(['7', '30', '90']).optional() }),
    reply: z.object({
      timeZone: z.string(),
      days: z.array(z.object({ date: z.string(), hours: z.number(), amount: z.number() })),
    }),
  }),
}
