import { z } from 'zod'
import { defineCall } from '../call.ts'
import { instant, name, ofTraining } from './shapes.ts'

const people = ['user', 'admin', 'superadmin'] as const

export const training = {
  names: defineCall({
    method: 'GET',
    path: '/azure/trainingName',
    roles: people,
    summary: "An organisation's trainings. A user gets those in which a machine is theirs.",
    query: z.strictObject({ organization: name }),
    reply: z.object({ trainingNames: z.array(z.string()) }),
  }),
}

export const accessWindow = {
  read: defineCall({
    method: 'GET',
    path: '/admin/myuser',
    roles: people,
    summary: "A training's access window in the organisation's zone; null: open at all times.",
    query: ofTraining,
    reply: z.object({
      loginStart: z.string().nullable(),
      loginStop: z.string().nullable(),
      /** The days of the week on which the window opens, Monday 1 to Sunday 7; null: every day. */
      loginDays: z.array(z.int()).nullable(),
      timeZone: z.string(),
      /** Open beyond its stop until then, just this once; null: not. */
      extendedUntil: instant.nullable(),
    }),
  }),
}
