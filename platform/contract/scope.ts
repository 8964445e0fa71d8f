/** Rights of an API key, as `resource:action`, each with the text that users read when they create a key. */
export const SCOPES = {
  'training:read': 'List trainings',
  'template:read': 'List the templates that can be ordered',
  'machine:read': 'List machines and their operations',
  'machine:connect': 'Open SSH connections to machines',
  'machine:power': 'Start, stop and restart machines',
  'machine:reset': 'Reset machines',
  'machine:assign': 'Hand machines over to other learners',
  'machine:delete': 'Delete machines',
  'order:read': 'Read the last order of a training',
  'order:create': 'Order machines, which costs money',
  'schedule:read': 'List schedules and class sessions',
  'schedule:write': 'Create and delete schedules and class sessions',
  'port:read': 'List open ports',
  'port:write': 'Open and close ports',
  'class:read': 'Read the class: learners, raised hands, announcements',
  'class:write': 'Announce, extend the class, and start or stop its machines',
  'guide:read': 'List lab guides and their proofs',
  'guide:write': 'Upload and publish lab guides',
  'guide:prove': 'Prove lab guides on fresh machines, which costs money',
  'guide:result': "Read learners' results of lab guides",
  'usage:read': 'Read usage and bills',
  'budget:read': 'Read budgets',
  'budget:write': 'Set and remove budgets',
  'invoice:read': 'Read and download invoices',
  'ledger:read': "Read the organisation's account",
  'people:read': "List the organisation's users",
  'organisation:read': 'List organisations',
  'audit:read': 'Read the audit',
  'webhook:read': 'List webhook endpoints and their deliveries, with the data of all events',
  'webhook:write': 'Add, change and delete webhook endpoints, which receive the data of all events',
} as const
export type Scope = keyof typeof SCOPES
export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]]

/** First characters of every API key, which secret scanners search for. */
export const KEY_PREFIX = 'try_live_'

export const KEYS_PER_PERSON = 50
export const KEY_DAYS_MAX = 366
export const KEY_DAYS_DEFAULT = 90
export const KEY_NETWORKS_MAX = 20
