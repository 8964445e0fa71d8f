/** Training with emulated machines in which new users try the portal. */
export const DEMO_CLASS = { training: 'Demo class', seats: 2, allottedMinutes: 120 } as const

/** Calls that only a portal with emulated machines offers. */
export const EMULATOR_CALLS: ReadonlySet<string> = new Set(['firstSteps.createDemoClass'])

/** Start of the addresses of a demo class's learners, who have no mailbox and cannot sign in. */
const LEARNER = 'demo-learner-'

export const isDemoLearner = (email: string): boolean => email.startsWith(LEARNER)

/**
 * Returns the local part of the address of a demo class's learner.
 * @param seat 1 to `DEMO_CLASS.seats`
 * @param organisation ID of the organisation, because an address belongs to one organisation
 */
export const demoLearner = (seat: number, organisation: string): string => `${LEARNER}${seat}.${organisation}`
