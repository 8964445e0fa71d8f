import { z } from 'zod'
import { call, type ReplyOf } from '@trainyard/platform/contract/call.ts'
import { instant, organisationName, templateName } from '@trainyard/platform/contract/shapes.ts'
import { FAULTS, PROOF_PHASES, PROOF_STATES } from './proof-words.ts'

const admins = ['admin', 'superadmin'] as const

const fault = z.object({
  kind: z.enum(FAULTS),
  /** Empty for the guide. */
  step: z.string(),
  /** Empty for a setup. */
  task: z.string(),
  /** Check of the task, or file of another script; empty for a task without a solution. */
  script: z.string(),
  /** Null after the time limit, and without a script. */
  exitStatus: z.int().nullable(),
  message: z.string(),
  errorOutput: z.string(),
})

const provenState = z.object({
  id: z.uuid(),
  number: z.int(),
  templateName: z.string(),
  /** Image of the machine. */
  image: z.string(),
  state: z.enum(PROOF_STATES),
  /** True: the template or its image has changed since then. */
  isStale: z.boolean(),
  phase: z.enum(PROOF_PHASES),
  /** Step and task that the proof has reached; empty before the first. */
  step: z.string(),
  task: z.string(),
  /** Null: the portal, before a class. */
  askedBy: z.string().nullable(),
  askedAt: instant,
  endedAt: instant.nullable(),
  /** Seconds from the order of the machine to the result; null before the result, and without a machine. */
  seconds: z.int().nullable(),
  /** Bill of the machines, once they are deleted. */
  costPaise: z.int().nullable(),
  /** Why it is incomplete or was not run. */
  reason: z.string().nullable(),
  faults: z.array(fault),
  /** What changed since the last proof of the guide on this template that found no fault. Null: there was none. */
  since: z
    .object({
      number: z.int(),
      endedAt: instant,
      version: z.boolean(),
      template: z.boolean(),
      image: z.boolean(),
    })
    .nullable(),
})
export type ProofView = z.output<typeof provenState>

export const proof = {
  list: call({
    route: 'GET /guides/proofs',
    for: admins,
    does: 'Returns the last 50 proofs of a guide, and what a proof would cost on each template of the organisation.',
    query: z.strictObject({ organization: organisationName.optional(), guide: z.string().min(1).max(63) }),
    reply: z.object({
      templates: z.array(
        z.object({
          templateName: z.string(),
          paisePerHour: z.int(),
          /** Time and cost at which a proof is stopped. */
          minutesMax: z.int(),
          paiseMax: z.int(),
        }),
      ),
      proofs: z.array(provenState),
    }),
  }),
  start: call({
    route: 'POST /guides/proofs',
    for: admins,
    does: 'Proves a version of a guide on a fresh machine of a template: each goal is red before its solution and green after it, and at the end, and after a restart. The machine is billed and deleted.',
    audit: 'started a proof of a guide',
    body: z.strictObject({
      organization: organisationName.optional(),
      guide: z.string().min(1).max(63),
      number: z.int().min(1),
      templateName,
    }),
    reply: z.object({ message: z.string(), id: z.uuid() }),
  }),
}

/** Texts of actions that are no calls, for the audit log. */
export const proofActions = {
  'proof.order': 'ordered a machine for the proof of a guide',
  'proof.end': 'ended the proof of a guide',
} as const

export type Proofs = ReplyOf<typeof proof.list>

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    proof: typeof proof
  }
}
