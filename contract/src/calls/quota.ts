import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ALLOTTED_MINUTES_MAX } from '../words/limits.ts'
import { message, minutes, ofTraining } from './shapes.ts'

export const quota = {
  read: defineCall({
    method: 'GET',
    path: '/admin/quota',
    roles: ['superadmin'],
    summary: "Allotted and consumed minutes, summed over a training's machines.",
    query: ofTraining,
    reply: z.object({ total: z.number(), consumed: z.number() }),
  }),
  increase: defineCall({
    method: 'POST',
    path: '/admin/quota',
    roles: ['superadmin'],
    summary: 'Shares more minutes out evenly over the live machines that have a limit.',
    body: ofTraining.extend({ increaseBy: minutes.min(1, 'must be more than zero').max(ALLOTTED_MINUTES_MAX * 1000) }),
    reply: z.object({ message: z.string(), total: z.number() }),
    creates: true,
  }),
}

export const logs = {
  clear: defineCall({
    method: 'DELETE',
    path: '/admin/logs',
    roles: ['superadmin'],
    summary: "Empties a training's log screen. Bills and quotas do not change.",
    body: ofTraining,
    reply: message,
  }),
}
