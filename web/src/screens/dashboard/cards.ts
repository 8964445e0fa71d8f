import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { home } from '@trainyard/contract/calls/home.ts'

/** Counts by name. A missing one is 0. */
export type Counts = Partial<ReplyOf<typeof home.dashboard>>

export interface Card {
  readonly name: string
  readonly of: keyof Counts
  readonly counts: string
  readonly to: `/${string}`
  readonly hash?: string
  readonly warns?: true
}

export const countOf = (counts: Counts, { of }: Pick<Card, 'of'>): number => counts[of] ?? 0

export const PORTAL: readonly Card[] = [
  { name: 'Organizations', of: 'organization', counts: 'customers', to: '/overview', hash: 'organisation' },
  { name: 'Active Users', of: 'users', counts: 'accounts of every access level', to: '/overview', hash: 'user' },
  {
    name: 'Azure Lab Enrollments',
    of: 'azureTraining',
    counts: 'trainings with live machines',
    to: '/dashboard',
    hash: 'running',
  },
]

export const SECTIONS: readonly { readonly title: string; readonly cards: readonly Card[] }[] = [
  {
    title: 'Azure Resource Summary',
    cards: [
      {
        name: 'VM Deployment Templates',
        of: 'templates',
        counts: 'cards to order from',
        to: '/overview',
        hash: 'template',
      },
      {
        name: 'Virtual Machines',
        of: 'virtualMachines',
        counts: 'live, running or stopped',
        to: '/dashboard',
        hash: 'running',
      },
      { name: 'Unpaid Invoices', of: 'invoicePending', counts: 'customers with a balance', to: '/ledger', warns: true },
      {
        name: 'Quota Exceeded',
        of: 'azureQuotaExceeded',
        counts: 'live machines without hours left',
        to: '/',
        hash: 'used-up',
        warns: true,
      },
      { name: 'Azure Sandbox', of: 'azureSandbox', counts: 'live resource groups', to: '/sandbox/azure/users' },
    ],
  },
  {
    title: 'AWS Sandbox Summary',
    cards: [{ name: 'AWS Sandbox', of: 'awsSandbox', counts: 'live users', to: '/sandbox/aws/users' }],
  },
]
