/**
 * How much a seeded portal holds. `busy` of its organisations have machines, runs and a ledger, the same in each at every
 * size; the others have none. There are as many organisations at a tenth: what lists them lists the same.
 */
export interface Size {
  readonly organisations: number
  readonly busy: number
}

/** The portal must stay quick with this: 100,000 machines, 5 million runs, 2 million ledger entries. */
export const FULL: Size = { organisations: 200, busy: 200 }
export const TENTH: Size = { organisations: 200, busy: 20 }

/** Machines of each of an organisation's trainings; those from `OVER` on are over, and their machines terminated. */
export const TRAININGS = [200, 50, 40, 10, 100, 50, 30, 20]
export const OVER = 5
export const MACHINES = TRAININGS.reduce((sum, machines) => sum + machines, 0)
/** Learners of an organisation; more than one training may have the same ones. */
export const LEARNERS = 250
export const RUNS = 50
export const ENTRIES = 10_000

export const organisationName = (organisation: number): string => `Organisation ${organisation}`
export const trainingName = (training: number): string => `Course ${training}`
export const adminEmail = (organisation: number): string => `admin@org${organisation}.test`
export const SUPERADMIN = 'superadmin@bench.test'
