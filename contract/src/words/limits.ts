/** Business constants and limits (spec.md section 9), and the bounds of what the portal takes. */
export const VM_SIZES = [
  'Standard_DS1_v2',
  'Standard_D2s_v3',
  'Standard_D4s_v3',
  'Standard_D8s_v3',
  'Standard_DS3_v2',
  'Standard_D4s_v4',
  'Standard_D8s_v4',
  'Standard_D16ds_v4',
] as const
export type VmSize = (typeof VM_SIZES)[number]

export const OPERATING_SYSTEMS = ['Windows', 'Linux'] as const
export type OperatingSystem = (typeof OPERATING_SYSTEMS)[number]

export const LICENCES = ['Windows_Server', 'none'] as const
export type Licence = (typeof LICENCES)[number]

/** Seconds a person is asked to wait after a power command, for each machine selected. */
export const POWER_WAIT_SECONDS = 10
/** Seconds after a power off in which it can be undone: it is sent to the cloud when they are over. */
export const UNDO_SECONDS = 5
/** Machines one power command, restart or order may name. */
export const MACHINES_PER_CALL = 1000
export const ALLOTTED_MINUTES_MAX = 60 * 24 * 366
/** Minutes that a training's quota may be increased by at once. */
export const INCREASE_MINUTES_MAX = ALLOTTED_MINUTES_MAX * 1000
export const NAME_LENGTH = 100
/** Terminals, and screens that are told what changes, that one person may have open at once, of each. */
export const OPEN_PER_PERSON = 50
export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 200
export const DEFAULT_TIME_ZONE = 'Asia/Kolkata'
/** The first priority that a training's ports take (spec.md section 9), and what the provider allows. */
export const PORT_PRIORITY_FIRST = 1001
export const PORT_PRIORITY_MIN = 100
export const PORT_PRIORITY_MAX = 4096
export const SCHEDULES_PER_CALL = 366
/** Days from the first to the last that a weekly schedule may have. */
export const WEEKLY_DAYS_MAX = 366
/** A schedule that could not fire at its instant still does so this much later; after that it is missed. */
export const SCHEDULE_GRACE_MINUTES = 30
/** The largest amount of one ledger entry or payment, in rupees. */
export const AMOUNT_RUPEES_MAX = 1_000_000_000
/** Entries of an account that one answer holds. */
export const ACCOUNT_PAGE = 500
export const SANDBOX_NAME_LENGTH = 5
export const SANDBOX_LOCATIONS = ['southindia', 'eastus', 'westus'] as const
export type SandboxLocation = (typeof SANDBOX_LOCATIONS)[number]
export const SANDBOX_DAYS_MAX = 366
/** A sandbox lives this long, and never longer than its user. */
export const SANDBOX_HOURS = 24
/** The credit of a lab user, in rupees. */
export const SANDBOX_CREDIT_RUPEES = 1_000
/** The most that one renewal may add to it, in rupees. */
export const SANDBOX_CREDIT_RUPEES_MORE = 100_000
/** Audit rows that one answer holds, and those that one file does. */
export const AUDIT_PAGE = 50
export const AUDIT_EXPORT_MAX = 100_000
