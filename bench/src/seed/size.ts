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

/** Sizes by the name that they are asked for with. */
export const SIZES: Readonly<Record<string, Size>> = {
  full: FULL,
  /** A million machines, 50 million runs, 20 million ledger entries. */
  million: { organisations: 2_000, busy: 2_000 },
}

export const tenthOf = ({ organisations, busy }: Size): Size => ({ organisations, busy: busy / 10 })

/** The size of that name; ends the bench where there is none. */
export function sizeNamed(name: string): Size {
  const size = Object.hasOwn(SIZES, name) ? SIZES[name] : undefined
  if (size !== undefined) return size
  console.error(`There is no size named ${name}. There are: ${Object.keys(SIZES).join(', ')}.`)
  process.exit(1)
}

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
