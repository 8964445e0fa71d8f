import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'

/** Counts by name. A missing one is 0. */
export type Counts = Partial<ReplyOf<typeof home.dashboard>>

export interface Card {
  readonly name: string
  readonly counter: keyof Counts
  readonly counts: string
  readonly to: `/${string}`
  readonly hash?: string
  readonly warns?: true
}

export const countOf = (counts: Counts, { counter }: Pick<Card, 'counter'>): number => counts[counter] ?? 0

export const PORTAL: readonly Card[] = [
  { name: 'Organizations', counter: 'organization', counts: 'customers', to: '/overview', hash: 'organisation' },
  { name: 'Active Users', counter: 'users', counts: 'accounts of every access level', to: '/overview', hash: 'user' },
  {
    name: 'Azure Lab Enrollments',
    counter: 'azureTraining',
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
        counter: 'templates',
        counts: 'cards to order from',
        to: '/overview',
        hash: 'template',
      },
      {
        name: 'Virtual Machines',
        counter: 'virtualMachines',
        counts: 'live, running or stopped',
        to: '/dashboard',
        hash: 'running',
      },
      {
        name: 'Unpaid Invoices',
        counter: 'invoicePending',
        counts: 'customers with a balance',
        to: '/ledger',
        warns: true,
      },
      {
        name: 'Quota Exceeded',
        counter: 'azureQuotaExceeded',
        counts: 'live machines without hours left',
        to: '/',
        hash: 'used-up',
        warns: true,
      },
      { name: 'Azure Sandbox', counter: 'azureSandbox', counts: 'live resource groups', to: '/sandbox/azure/users' },
    ],
  },
  {
    title: 'AWS Sandbox Summary',
    cards: [{ name: 'AWS Sandbox', counter: 'awsSandbox', counts: 'live users', to: '/sandbox/aws/users' }],
  },
]
