/**
 * Size of a seeded portal. `busy` organisations have machines, runs and a ledger, the same amount in each at every
 * size. The others have none. A tenth has the same number of organisations, so that lists of them are equal.
 */
export interface Size {
  readonly organisations: number
  readonly busy: number
}

/** Size at which the portal must meet its limits: 100,000 machines, 5 million runs, 2 million ledger entries. */
export const FULL: Size = { organisations: 200, busy: 200 }

export const SIZES: Readonly<Record<string, Size>> = {
  full: FULL,
  /** A million machines, 50 million runs, 20 million ledger entries. */
  million: { organisations: 2_000, busy: 2_000 },
}

export const tenthOf = ({ organisations, busy }: Size): Size => ({ organisations, busy: busy / 10 })

export function sizeNamed(name: string): Size {
  const size = Object.hasOwn(SIZES, name) ? SIZES[name] : undefined
  if (size !== undefined) return size
  console.error(`Unknown size ${name}. Known sizes: ${Object.keys(SIZES).join(', ')}.`)
  process.exit(1)
}

/**
 * Machines in each training of an organisation. Trainings from index `FIRST_FINISHED` on are finished and their
 * machines terminated.
 */
export const TRAININGS = [200, 50, 40, 10, 100, 50, 30, 20]
export const FIRST_FINISHED = 5
export const MACHINES = TRAININGS.reduce((sum, machines) => sum + machines, 0)
/** Learners per organisation. They may be in several trainings. */
export const LEARNERS = 250
export const RUNS = 50
export const ENTRIES = 10_000

export const organisationName = (organisation: number): string => `Organisation ${organisation}`
export const trainingName = (training: number): string => `Course ${training}`
export const adminEmail = (organisation: number): string => `admin@org${organisation}.test`
export const SUPERADMIN = 'superadmin@bench.test'
