/** Limits and prices of the business (spec.md section 9). */
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

/** Types of system disks; the first is the default. */
export const DISK_SKUS = ['StandardSSD_LRS', 'Standard_LRS', 'StandardSSD_ZRS', 'Premium_LRS', 'Premium_ZRS'] as const

/** Time limit of a power command, per selected machine. */
export const POWER_WAIT_SECONDS = 10
/** Seconds in which a user can undo a stop. The stop is sent to the provider afterwards. */
export const UNDO_SECONDS = 5
/** Seconds in which a user can undo a start of several machines. */
export const START_UNDO_SECONDS = 10

/**
 * Request header of a power command. With the value 1, a stop, or a start of several machines, can be undone for these
 * seconds; without it, the command is sent at once.
 */
export const UNDO_HEADER = 'allow-undo'
export const MACHINES_PER_CALL = 1000
export const ALLOTTED_MINUTES_MAX = 60 * 24 * 366
export const INCREASE_MINUTES_MAX = ALLOTTED_MINUTES_MAX * 1000
export const NAME_LENGTH = 100
/** Maximum number of concurrent event streams of a user. */
export const OPEN_STREAMS_PER_USER = 50
/** Maximum number of terminals, desktops and watched screens of a user. An instructor may watch a whole class. */
export const OPEN_SOCKETS_PER_USER = 100
export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 200
export const DEFAULT_TIME_ZONE = 'Asia/Kolkata'
/** The range is Azure's. */
export const PORT_PRIORITY_FIRST = 1001
export const PORT_PRIORITY_MIN = 100
export const PORT_PRIORITY_MAX = 4096
/**
 * Open ports of a training. A security group at Azure holds at most 1,000 rules, including those of the portal and of
 * the customer: https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits
 */
export const PORTS_MAX = 500
export const SCHEDULES_PER_CALL = 366
export const WEEKLY_DAYS_MAX = 366
/** Schedules, and planned ready times, of a training that lie ahead. Lists show as many. */
export const PLANNED_MAX = 2_000
/** A schedule that cannot run within this time is marked as missed. */
export const SCHEDULE_GRACE_MINUTES = 30
export const AMOUNT_RUPEES_MAX = 1_000_000_000
export const ACCOUNT_PAGE = 500
export const SANDBOX_NAME_LENGTH = 5
/**
 * Sandboxes of one user at a time, if the operator sets no limit. An empty one costs no credits, but a subscription has at
 * most 980 resource groups: https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits
 */
export const SANDBOXES_MAX = 100
export const SANDBOX_LOCATIONS = ['southindia', 'eastus', 'westus'] as const
export type SandboxLocation = (typeof SANDBOX_LOCATIONS)[number]
export const SANDBOX_DAYS_MAX = 366
/** A sandbox ends earlier if its user ends earlier. */
export const SANDBOX_HOURS = 24
export const SANDBOX_CREDIT_RUPEES = 1_000
export const SANDBOX_RENEWAL_RUPEES_MAX = 100_000
export const AUDIT_PAGE = 50
export const AUDIT_EXPORT_MAX = 100_000

/** Maximum retention that an organisation can set, in days. */
export const RETENTION_DAYS_MAX = 3_650
