export const IDLE_WARNING_MINUTES = 10
/** Minutes after its start in which a machine is not stopped for being idle. */
export const IDLE_STOP_GRACE_MINUTES = 30
export const BUSY_PERCENT = 5
export const CPU_MEASUREMENT_MINUTES_MAX = 10
export const EXTENSION_MINUTES = 15
export const ANNOUNCEMENT_LENGTH = 500
export const ANNOUNCEMENT_MINUTES = [5, 15, 60, 240] as const

/** Minutes of activity that the class shows for each learner. */
export const ACTIVITY_MINUTES = 10

/** Why a learner raises a hand, with the text on screen. */
export const HAND_REASONS = { stuck: 'Stuck', question: 'Question', slow: 'Machine slow' } as const
export type HandReason = keyof typeof HAND_REASONS

export const CLASS = {
  earlyStartOn: 'Learners can start their machines before the planned time.',
  earlyStartOff: 'Planned machines start in time for the class. Learners cannot start them earlier.',
  announced: 'Announced to the class.',
  takenBack: 'The announcement was removed.',
  noAnnouncement: 'There is no announcement to remove.',
  extended: (minutes: number) => `The access window was extended by ${minutes} minutes.`,
  extend: `Extend by ${EXTENSION_MINUTES} minutes`,
  open: `Open for ${EXTENSION_MINUTES} minutes`,
  opened: (until: string) => `The training is open until ${until}.`,
  closedNow: `This training is closed now, so there is nothing to extend. Open it for ${EXTENSION_MINUTES} minutes on the Class screen.`,
  openAtAllTimes: 'This training is open at all times, so there is no access window to extend.',
  idleStopOn: (minutes: number) => `Machines that are idle for ${minutes} minutes will be stopped.`,
  idleStopOff: 'Idle machines will no longer be stopped.',
  started: (count: number) => `${count} ${count === 1 ? 'machine is' : 'machines are'} being started.`,
  stopped: (count: number) => `${count} idle ${count === 1 ? 'machine is' : 'machines are'} being stopped.`,
  stoppedAll: (count: number) => `${count} ${count === 1 ? 'machine is' : 'machines are'} being stopped.`,
  noneToStop: 'There are no running machines to stop.',
  noneToStart: 'There are no stopped machines to start.',
  noneIdle: (minutes: number) => `No machine has been idle for ${minutes} minutes.`,
  handRaised: 'Your hand is raised.',
  handLowered: 'The hand was lowered.',
  here: (machine: string) => `${machine} stays on.`,
  notRunning: (machine: string) => `${machine} is not running.`,
  inOtherClasses: (email: string) =>
    `${email} also has machines in other trainings. Ask an admin to correct the address.`,
  stoppedIdle: (minutes: number) => `Stopped because it was not used for ${minutes} minutes.`,
} as const

export const machinesRunUntil = (at: Date, timeZone: string): string =>
  `The machines run until ${timeIn(at, timeZone)}.`

/** Formats the time of day in a time zone: 09:30. */
export const timeIn = (at: Date, timeZone: string): string =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
