import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { instant, trainingRef, organisationName } from '@trainyard/platform/contract/shapes.ts'

const people = ['user', 'admin', 'superadmin'] as const

export const instructor = z.object({
  email: z.string(),
  name: z.string().nullable(),
  since: instant,
  addedBy: z.string(),
})
export type Instructor = z.output<typeof instructor>

export const training = {
  names: call({
    route: 'GET /azure/trainingName',
    for: people,
    public: { scope: 'training:read', operation: 'listTrainings' },
    does: "Lists an organisation's trainings. Users get only those in which they have a machine or are an instructor.",
    query: z.strictObject({ organization: organisationName }),
    reply: z.object({ trainingNames: z.array(z.string()).meta({ examples: [['Python for beginners', 'Linux 101']] }) }),
  }),
}

export const accessWindow = {
  read: call({
    route: 'GET /admin/myuser',
    for: people,
    does: "Returns a training's access window in the organisation's time zone. null means open at all times.",
    query: trainingRef,
    reply: z.object({
      loginStart: z.string().nullable(),
      loginStop: z.string().nullable(),
      /** Days on which the window opens, Monday 1 to Sunday 7; null for every day. */
      loginDays: z.array(z.int()).nullable(),
      timeZone: z.string(),
      extendedUntil: instant.nullable(),
      /** Next opening, with an iCalendar event of it; null while access is open. */
      opening: z.object({ at: instant, calendar: z.string() }).nullable(),
    }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    accessWindow: typeof accessWindow
    training: typeof training
  }
}
