/** The sentences of spec.md section 8 and 5, word for word: screen and server take them from here. */
export const ALERTS = {
  loginFailed: 'Login failed.',
  nothingSelected: 'No VMs selected',
  someRunning: 'One or more selected VMs are already running',
  someNotRunning: 'One or more selected VMs are not running',
  powerStarted: (seconds: number) => `VM Start in Process, Please wait for ${seconds} secs before trying again`,
  powerStopped: (seconds: number) => `VM Stop in Process, Please wait for ${seconds} secs before trying again`,
  imageInProgress: 'Creation of Image in Progress',
  ordered: (minutes: number) => `VM Creation in Process, Please wait for ${minutes} mins before trying again.`,
  billingFailed: 'Failed to fetch billing details.',
  logsFailed: 'Failed to fetch logs.',
  pickTimes: 'Please select at least one date and time',
  noSchedules: 'No schedules to submit',
  quotaInvalid: 'Please enter a valid positive number.',
  quotaFailed: 'Failed to update quota',
  quotaIncreased: (hours: number) => `Quota increased by ${hours} hours successfully!`,
  pickTrainingForQuota: 'Please select a training from the sidebar.',
  restrictionLoading: 'Loading training details...',
  restrictionFailed: 'Failed to fetch training schedule',
  pickTrainingFirst: 'Please select a training first.',
  logsDeleted: 'Logs deleted successfully.',
  logsDeleteFailed: 'An error occurred while deleting logs.',
  outsideWindow: (start: string, stop: string) => `Access to this training is open from ${start} to ${stop}.`,
  trainingDeleted: 'Training deleted successfully.',
  trainingDeleteFailed: 'An error occurred while deleting the training. Please try again.',
} as const

/** What a list says when there is nothing in it. */
export const EMPTY = {
  customers: 'No customer found',
  trainings: 'No Training Found',
  machines: 'You do not have any Instances',
  terminated: 'No dead VMs',
  logs: 'No activity logs found for the selected instance',
  ports: 'No open ports',
  restrictions: 'No restrictions found for this training.',
  list: (title: string) => `No ${title} Found`,
} as const

/** What can go wrong on a call, and the status that says so on the wire. */
export const PROBLEMS = {
  malformed: 400,
  broken: 400,
  signedOut: 401,
  forbidden: 403,
  absent: 404,
  conflict: 409,
  tooLarge: 413,
  keyReused: 422,
  tooMany: 429,
  internal: 500,
  unavailable: 503,
} as const
export type ProblemCode = keyof typeof PROBLEMS
