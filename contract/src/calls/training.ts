import { z } from 'zod'
import { defineCall } from '../call.ts'
import { instant, message, name, ofTraining } from './shapes.ts'
import { templateView } from './superadmin.ts'

const people = ['user', 'admin', 'superadmin'] as const

const billLine = z.object({
  machine: z.string(),
  email: z.string(),
  /** Rupees an hour when it was ordered, browser access included. */
  rate: z.number(),
  guacamole: z.boolean(),
  runs: z.int(),
  seconds: z.int(),
  amount: z.number(),
})
export type BillLine = z.output<typeof billLine>

export const training = {
  names: defineCall({
    method: 'GET',
    path: '/azure/trainingName',
    roles: people,
    summary: "An organisation's trainings. A user gets those in which a machine is theirs.",
    query: z.strictObject({ organization: name }),
    reply: z.object({ trainingNames: z.array(z.string()) }),
  }),
  templates: defineCall({
    method: 'GET',
    path: '/azure/templates',
    roles: ['admin', 'superadmin'],
    summary: 'The templates an organisation may order from.',
    query: z.strictObject({ organization: name }),
    reply: z.object({ templates: z.array(templateView) }),
  }),
  machineNames: defineCall({
    method: 'GET',
    path: '/azure/vmnames',
    roles: people,
    summary: "The names of a training's machines, live ones first.",
    query: ofTraining,
    reply: z.object({ vmList: z.array(z.string()) }),
  }),
  logs: defineCall({
    method: 'GET',
    path: '/azure/logs',
    roles: people,
    summary: "A machine's runs, newest first; stop is null while it runs, duration is in minutes.",
    query: z.strictObject({ vmName: name }),
    reply: z.object({
      logs: z.array(z.object({ start: instant, stop: instant.nullable(), duration: z.number() })),
    }),
  }),
  billing: defineCall({
    method: 'GET',
    path: '/azure/billing',
    roles: people,
    summary:
      'What a training has used (hours) and cost (rupees), and how many machines are on and off; with `lines` also what the amount is made of, of the same instant.',
    query: ofTraining.extend({ lines: z.literal('yes').optional() }),
    reply: z.object({
      Amount: z.number(),
      Duration: z.number(),
      Status: z.object({ online: z.int(), offline: z.int() }),
      /** A line a machine, whose amounts add up to it: where it was asked for. */
      lines: z.array(billLine).optional(),
      /** Up to which instant what still runs is counted; beside the lines. */
      asOf: instant.optional(),
    }),
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/azure/killTraining',
    roles: ['superadmin'],
    summary: "Deletes a training's machines with all they brought; they stay listed as terminated.",
    query: ofTraining,
    reply: message,
  }),
}
