export const PROOF_STATES = ['running', 'proven', 'faulty', 'incomplete', 'not run'] as const

export const PROOF_PHASES = ['waiting', 'starting', 'testing', 'restarting', 'deleting', 'ended'] as const

/** Faults of a guide, by the rule that it breaks. */
export const FAULTS = [
  'never-red',
  'broken',
  'guard-red',
  'not-green',
  'flaky',
  'solve-failed',
  'setup-failed',
  'setup-not-repeatable',
  'no-solve',
  'lost-at-end',
  'lost-at-restart',
] as const
export type FaultKind = (typeof FAULTS)[number]

/** Longest duration of a proof, from the order of its machine. */
export const PROOF_MINUTES_MAX = 60

/** Changed files and packages that a proof shows. */
export const CHANGES_SHOWN = 20

/** Machines of a proof: it begins again if its worker was killed or the connection was lost. */
export const PROOF_MACHINES_MAX = 3

/** Proofs of an organisation that have a machine at the same time. */
export const PROOFS_AT_ONCE = 2

/** Name of the hidden training to which the machines of proofs belong, and their learner. Bills show both. */
export const PROOF_TRAINING = 'Guide proofs'
export const PROOF_LEARNER = 'guide proof'

export const PROOF = {
  nameTaken: `A class is named ${PROOF_TRAINING}, as the portal's own training of proofs. Remove the class first.`,
  started: (guide: string, number: number, template: string): string =>
    `${guide}, version ${number}, is being proven on ${template}. This takes ${PROOF_MINUTES_MAX} minutes at most.`,
  running: (template: string): string => `This version is being proven on ${template} already.`,
  onlyLinux: 'Only guides for Linux can be proven.',
  notProven: 'This version is not proven on a template as it is now. Prove it first, or enter a reason.',
  tooLong: `The proof did not end within ${PROOF_MINUTES_MAX} minutes and was stopped.`,
  notStarted: 'The machine did not start in time.',
  lost: `The proof could not be finished on ${PROOF_MACHINES_MAX} machines, because connections or the worker were interrupted.`,
  stopped: 'The machine was stopped.',
  deleted: 'The machine was deleted.',
  noTemplate: 'The template was deleted.',
  budget: 'The budget is used up.',
  loose: 'Checks accept every exit status from 1 to 123 as not done.',
  noSolve: 'The task has no solution.',
  needs: (titles: readonly string[]): string => `The task needs a task without a solution: ${titles.join('; ')}.`,
  again: 'It failed when it ran again.',
  timedOut: 'The script did not end in time.',
} as const
