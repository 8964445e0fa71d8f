import { z } from 'zod'
import { call, type ReplyOf } from '@trainyard/platform/contract/call.ts'
import { instant, organisationName, templateName } from '@trainyard/platform/contract/shapes.ts'
import { FAULTS, PROOF_PHASES, PROOF_STATES } from './proof-words.ts'

const guide = z
  .string()
  .min(1)
  .max(63)
  .meta({ examples: ['web-server'] })
const admins = ['admin', 'superadmin'] as const

const fault = z.object({
  kind: z.enum(FAULTS),
  /** Empty for the guide. */
  step: z.string().meta({ examples: ['service'] }),
  /** Empty for a setup. */
  task: z.string().meta({ examples: ['unit'] }),
  /** Check of the task, or file of another script; empty for a task without a solution. */
  script: z.string().meta({ examples: ['answers'] }),
  /** Null after the time limit, and without a script. */
  exitStatus: z.int().nullable(),
  message: z.string().meta({ examples: ['Nothing answers at http://127.0.0.1:9000/.'] }),
  errorOutput: z.string().meta({ examples: [''] }),
})

const provenState = z.object({
  id: z.uuid().meta({ examples: ['7c6f0f0e-6a3b-4f0e-9b1c-0d6a4b8f5a11'] }),
  number: z.int().meta({ examples: [2] }),
  templateName,
  /** Image of the machine. */
  image: z.string().meta({ examples: ['Debian:debian-12:12:latest'] }),
  state: z.enum(PROOF_STATES),
  /** True: the template or its image has changed since then. */
  isStale: z.boolean(),
  phase: z.enum(PROOF_PHASES),
  /** Step and task that the proof has reached; empty before the first. */
  step: z.string().meta({ examples: ['service'] }),
  task: z.string().meta({ examples: ['proxy'] }),
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
  /** Changes since the last proof of the guide on this template that found no fault. Null: there was none. */
  since: z
    .object({
      number: z.int().meta({ examples: [1] }),
      endedAt: instant,
      version: z.boolean(),
      /** Files of the guide that differ, the first 21. */
      files: z.array(z.string()).meta({ examples: [['checks/unit.sh']] }),
      /** Packages of the machine in other versions, the first 21. */
      packages: z.array(z.string()).meta({ examples: [['nginx 1.24.0-2 → 1.26.3-1']] }),
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
    public: { scope: 'guide:read', operation: 'listGuideProofs' },
    does: 'Returns the last 50 proofs of a guide, and what a proof would cost on each template of the organisation.',
    query: z.strictObject({ organization: organisationName.optional(), guide }),
    reply: z.object({
      templates: z.array(
        z.object({
          templateName,
          paisePerHour: z.int().meta({ examples: [1_250] }),
          /** Time and cost at which a proof is stopped. */
          minutesMax: z.int().meta({ examples: [60] }),
          paiseMax: z.int().meta({ examples: [1_250] }),
        }),
      ),
      proofs: z.array(provenState),
    }),
  }),
  start: call({
    route: 'POST /guides/proofs',
    for: admins,
    public: { scope: 'guide:prove', operation: 'proveGuide' },
    does: 'Proves a version of a guide on a fresh machine of a template: each goal is red before its solution and green after it, and at the end, and after a restart. The machine is billed and deleted.',
    audit: 'started a proof of a guide',
    body: z.strictObject({
      organization: organisationName.optional(),
      guide,
      number: z
        .int()
        .min(1)
        .meta({ examples: [2] }),
      templateName,
    }),
    reply: z.object({
      message: z.string().meta({
        examples: [
          'A web server with systemd, version 2, is being proven on Debian 12. This takes 60 minutes at most.',
        ],
      }),
      id: z.uuid().meta({ examples: ['7c6f0f0e-6a3b-4f0e-9b1c-0d6a4b8f5a11'] }),
    }),
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
