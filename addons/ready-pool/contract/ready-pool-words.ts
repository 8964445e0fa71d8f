export const READY_MACHINES_MAX = 50
export const READY_POWERS = ['running', 'stopped'] as const

/** Reasons why no machine is added. */
export const PAUSED = {
  noTemplate: 'The template was deleted. Choose another one.',
  closed: 'The training is closed. Machines are kept ready again when it opens.',
  stoppedBySchedule: 'A schedule has stopped the training. Machines are kept ready again from its next start.',
  budget: 'The budget of the training is used up. No machines are added until it is raised.',
} as const
