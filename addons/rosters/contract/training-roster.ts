/** Rules by which a roster orders machines for its members. */
export const MACHINE_RULES = {
  none: 'No machines: order them separately',
  on_joining: 'Order a machine when a learner joins',
  on_first_launch: 'Order a machine when a learner first opens the training',
} as const
export type MachineRule = keyof typeof MACHINE_RULES
export const MACHINE_RULE_NAMES = Object.keys(MACHINE_RULES) as [MachineRule, ...MachineRule[]]

/** Kinds of external lists that a training can follow. */
export const ROSTER_KINDS = ['scim_group', 'lti_course'] as const
export type RosterKind = (typeof ROSTER_KINDS)[number]

export const ROSTER_KIND_TITLES: Readonly<Record<RosterKind, string>> = {
  scim_group: 'Group of the identity provider',
  lti_course: 'Course of the LMS',
}

/** Default and maximum number of days until the machine of a learner who left is deleted. */
export const GRACE_DAYS_DEFAULT = 14
export const GRACE_DAYS_MAX = 90
export const SEATS_MAX = 10_000
/** Maximum number of members of a roster, including those who left. */
export const ROSTER_MEMBERS_MAX = 20_000

/** A run that removes more learners than this, and more than `REMOVAL_SHARE` of them, waits for an admin. */
export const REMOVAL_COUNT = 5
export const REMOVAL_SHARE = 0.2

const learnersOf = (count: number): string => (count === 1 ? '1 learner' : `${count} learners`)

export const ROSTER = {
  full: (seats: number): string =>
    `All ${seats} seats of this roster are taken. Raise the number of seats, or wait until a learner leaves.`,
  hasMachine: 'Has a machine that was ordered separately. The roster does not change it.',
  noTemplate: 'The roster has no template. Choose one to order machines.',
  withheld: (name: string): string =>
    `The learner of ${name} has left the roster. The machine stays stopped until it is deleted. Hand it over to another learner to use it.`,
  pending: (count: number): string =>
    `${learnersOf(count)} would lose access, more than a fifth of this roster. Check the list at its source, then approve or refuse the removal.`,
  approved: (count: number): string => `${learnersOf(count)} lost access to the training.`,
  refused: (count: number): string =>
    `${learnersOf(count)} stay in the training until the source lists and removes them again.`,
  changed: 'The list has changed since this page was loaded. Check it again before you decide.',
  nothingPending: 'No removal waits for a decision.',
  saved: (training: string, source: string): string => `${training} follows ${source}.`,
  deletionsWait: (count: number): string =>
    `${count === 1 ? '1 machine' : `${count} machines`} of learners who left would stay stopped without being deleted. Hand over or delete ${count === 1 ? 'it' : 'them'} first.`,
  removed: (training: string): string =>
    `${training} no longer follows a roster. Its learners and machines stay as they are.`,
} as const
