/** Minutes that a machine may be idle before it is stopped, where a training has that. The warning is among them. */
export const IDLE_STOP_MINUTES_MIN = 20
export const IDLE_STOP_MINUTES_MAX = 480
/** Minutes for which the learner is warned before an idle machine is stopped. */
export const IDLE_WARNING_MINUTES = 10
/** Minutes of a run in which nothing is stopped for being idle. */
export const IDLE_STOP_NEVER_MINUTES = 30
/** A minute in which a machine's processor was used by this part of a hundred, or more, is none of idleness. */
export const BUSY_PERCENT = 5
/** A measurement of the processor that ended longer ago than this says nothing of now. */
export const MEASURED_MINUTES = 10
/** Minutes by which the access window is extended at a time. */
export const EXTENSION_MINUTES = 15
export const ANNOUNCEMENT_LENGTH = 500
/** Minutes after which an announcement ends by itself. */
export const ANNOUNCEMENT_MINUTES = [5, 15, 60, 240] as const

/** The sentences of the Class screen's calls. */
export const CLASS = {
  announced: 'Announced to the class.',
  takenBack: 'The announcement was taken back.',
  noAnnouncement: 'There is no announcement to take back.',
  extended: (minutes: number) => `The access window was extended by ${minutes} minutes.`,
  openAtAllTimes: 'This training is open at all times: there is no access window to extend.',
  idleStopOn: (minutes: number) => `Machines that are idle for ${minutes} minutes will be stopped.`,
  idleStopOff: 'Idle machines will not be stopped any more.',
  started: (count: number) => `${count} ${count === 1 ? 'machine is' : 'machines are'} being started.`,
  stopped: (count: number) => `${count} idle ${count === 1 ? 'machine is' : 'machines are'} being stopped.`,
  noneToStart: 'There is no stopped machine that could be started.',
  noneIdle: (minutes: number) => `No machine has been idle for ${minutes} minutes.`,
  handRaised: 'Your hand is raised.',
  handLowered: 'The hand was taken down.',
  here: (machine: string) => `${machine} stays on.`,
  notRunning: (machine: string) => `${machine} is not running.`,
  /** Why a machine was stopped: shown beside its state. */
  stoppedIdle: (minutes: number) => `It was stopped because nobody had used it for ${minutes} minutes.`,
} as const
