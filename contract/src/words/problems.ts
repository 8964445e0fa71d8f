import { formatWeekdays } from './recurrence.ts'

/** Texts quoted in spec.md sections 5 and 8, word for word. Web app and server both take them from here. */
export const ALERTS = {
  loginFailed: 'Login failed.',
  nothingSelected: 'No VMs selected',
  someRunning: 'One or more selected VMs are already running',
  someNotRunning: 'One or more selected VMs are not running',
  powerStarted: (seconds: number) => `VM Start in Process, Please wait for ${seconds} secs before trying again`,
  powerStopped: (seconds: number) => `VM Stop in Process, Please wait for ${seconds} secs before trying again`,
  imageInProgress: 'Creation of Image in Progress',
  orderedFor: (time: string, minutes: number) =>
    `The VMs will be ready at ${time}. Creation starts about ${minutes} minutes earlier.`,
  ordered: (minutes: number) => `VM Creation in Process, Please wait for ${minutes} mins before trying again.`,
  billingFailed: 'Failed to fetch billing details.',
  logsFailed: 'Failed to fetch logs.',
  pickTimes: 'Please select at least one date and time',
  noSchedules: 'No schedules to submit',
  quotaInvalid: 'Please enter a valid positive number.',
  quotaFailed: 'Failed to update quota',
  quotaIncreased: (hours: number) => `Quota increased by ${hours} hours successfully!`,
  pickTraining: 'Please select a training from the sidebar.',
  restrictionLoading: 'Loading training details...',
  restrictionFailed: 'Failed to fetch training schedule',
  pickTrainingFirst: 'Please select a training first.',
  logsDeleted: 'Logs deleted successfully.',
  logsDeleteFailed: 'An error occurred while deleting logs.',
  outsideWindow: (start: string, stop: string, days: readonly number[] | null = null) =>
    `Access to this training is open from ${start} to ${stop}${days === null ? '' : ` on ${formatWeekdays(days)}`}.`,
  trainingDeleted: 'Training deleted successfully.',
  trainingDeleteFailed: 'An error occurred while deleting the training. Please try again.',
  amountInvalid: 'Please enter a valid amount.',
  paymentVerified: 'Payment successful and verified!',
  paymentFailed: 'Payment verification failed. Please contact support.',
  organisationRequired: 'Organization is required',
  invoiceIdRequired: 'Invoice ID is required',
  paymentIdRequired: 'Payment ID is required',
  amountRequired: 'Amount must be greater than zero',
  dateRequired: 'Date is required',
  sandboxName: 'Sandbox name must be 1 to 5 characters long.',
  sandboxRequested: 'Request Sent, please wait 10 seconds and refresh!',
  sandboxDeleted: 'Deleted! Please wait 30 seconds and refresh.',
  sandboxCreateFailed: 'Error creating sandbox. Please try again.',
  sandboxDeleteFailed: 'Error deleting sandbox. Please try again.',
  usersFailed: 'Error fetching users.',
  userSandboxDeleteFailed: 'Error deleting sandbox.',
  userDeleteFailed: 'Error deleting user.',
  userCreateFailed: 'Error creating user.',
  bulkUserFailed: 'Error creating user',
  userCreated: 'User created successfully!',
  userSandboxDeleted: (sandbox: string) => `Sandbox ${sandbox} deleted successfully!`,
  userDeleted: (email: string) => `User ${email} deleted successfully!`,
  fillInAll: 'Please fill in all fields.',
  csvEmpty: 'CSV file must have at least one user entry.',
  csvInvalid: 'Invalid CSV format. Ensure the first column is username and the second is personalEmail.',
  bulkDone: 'Task Completed',
} as const

export const EMPTY = {
  customers: 'No customer found',
  trainings: 'No Training Found',
  machines: 'You do not have any Instances',
  terminated: 'No dead VMs',
  logs: 'No activity logs found for the selected instance',
  ports: 'No open ports',
  restrictions: 'No restrictions found for this training.',
  clients: 'No client data available',
  transactions: 'No transactions found',
  sandboxes: 'No sandboxes available',
  list: (title: string) => `No ${title} Found`,
} as const

/** Problem codes of the API and the HTTP status of each. */
export const PROBLEMS = {
  malformed: 400,
  invalid: 400,
  signedOut: 401,
  /** The password was correct and a second factor is required, or the second factor was wrong and can be retried. */
  secondFactor: 401,
  forbidden: 403,
  /** The user must first change a password that another person chose. */
  passwordChange: 403,
  /** The user must set up a second factor first. */
  secondFactorDue: 403,
  /** The user must confirm their identity again before this kind of change. */
  confirmFirst: 403,
  /** The request is outside the training's access window. */
  closed: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  keyReused: 422,
  tooMany: 429,
  internal: 500,
  unavailable: 503,
} as const
export type ProblemCode = keyof typeof PROBLEMS
