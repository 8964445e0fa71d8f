/**
 * Numbers of organisations. The `busy` organisations have machines, runs and a ledger, with the same number of rows
 * per organisation at every size. The other organisations have none.
 */
export interface Size {
  readonly organisations: number
  readonly busy: number
}

/** Size at which the portal must meet its limits: 100,000 machines, 5 million runs, 2 million ledger entries. */
export const FULL: Size = { organisations: 200, busy: 200 }

export const SIZES: Readonly<Record<string, Size>> = {
  full: FULL,
  million: { organisations: 2_000, busy: 2_000 },
}

export const tenthOf = ({ organisations, busy }: Size): Size => ({ organisations, busy: busy / 10 })

export function sizeNamed(name: string): Size {
  const size = Object.hasOwn(SIZES, name) ? SIZES[name] : undefined
  if (size !== undefined) return size
  console.error(`Unknown size ${name}. Known sizes: ${Object.keys(SIZES).join(', ')}.`)
  process.exit(1)
}

/** Machines per training. Trainings from index `FIRST_FINISHED` on are finished. */
export const TRAININGS = [200, 50, 40, 10, 100, 50, 30, 20]
export const FIRST_FINISHED = 5
export const MACHINES = TRAININGS.reduce((sum, machines) => sum + machines, 0)
export const LEARNERS = 250
export const RUNS = 50
export const ENTRIES = 10_000

export const organisationName = (organisation: number): string => `Organisation ${organisation}`
export const trainingName = (training: number): string => `Course ${training}`
export const adminEmail = (organisation: number): string => `admin@org${organisation}.test`
export const SUPERADMIN = 'superadmin@bench.test'
