import type { Refusal } from './refusal.ts'
import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'

export interface Operation {
  readonly name: string
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  /** Path with parameters (`:subscription`, `:group`, `:name`, `:child`), matched case-insensitively. */
  readonly path: string
  readonly versions: readonly string[]
  /** Permission that the operation requires. Default: derived from method and path. */
  readonly action?: string
  /** Runs in a transaction. A thrown Refusal rolls it back and becomes the reply. */
  handle(call: Call): Answer
  /** Runs after a refusal, outside the transaction that was rolled back. */
  refused?(call: Call, refusal: Refusal): void
}

export interface Call {
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly path: string
  readonly version: string
  readonly body: unknown
  readonly now: number
  /** Result of the long-running operation that this call starts: success, unless a fault is injected. */
  readonly ending: Ending
  readonly faultKind: Fault['kind'] | undefined
}

export interface Failure {
  readonly code: string
  readonly message: string
  /** True if the operation ends as Canceled instead of Failed. */
  readonly isCanceled?: true
}

export type Ending =
  | { readonly kind: 'success' }
  | { readonly kind: 'never' }
  | { readonly kind: 'failure'; readonly failure: Failure }

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** API versions in Azure's OpenAPI files, its newest clients or recordings, oldest first. */
export const versions = {
  compute: [
    '2016-03-30',
    '2016-04-30-preview',
    '2017-03-30',
    '2017-12-01',
    '2019-03-01',
    '2020-06-01',
    '2020-12-01',
    '2022-03-01',
    '2022-11-01',
    '2024-07-01',
    '2024-11-01',
    '2026-04-01',
  ],
  disks: ['2020-05-01', '2020-09-30', '2022-07-02', '2024-03-02', '2026-03-02'],
  skus: ['2017-03-30', '2021-07-01'],
  galleries: ['2018-06-01', '2019-12-01', '2020-09-30', '2021-10-01', '2022-03-03', '2024-03-03', '2025-12-03'],
  network: [
    '2015-06-15',
    '2016-09-01',
    '2016-12-01',
    '2019-11-01',
    '2020-05-01',
    '2020-11-01',
    '2021-02-01',
    '2022-01-01',
    '2022-05-01',
    '2023-02-01',
    '2024-03-01',
    '2024-05-01',
    '2024-07-01',
    '2024-10-01',
    '2025-03-01',
    '2025-09-01',
    '2026-01-01',
  ],
  resources: [
    '2016-09-01',
    '2017-05-10',
    '2017-08-01',
    '2018-05-01',
    '2019-07-01',
    '2020-06-01',
    '2021-04-01',
    '2022-09-01',
    '2024-11-01',
    '2025-03-01',
    '2025-04-01',
  ],
  authorization: ['2018-09-01-preview', '2020-08-01-preview', '2022-04-01'],
  policy: ['2019-09-01', '2021-06-01', '2023-04-01', '2024-05-01', '2025-03-01'],
  policyInsights: ['2022-03-01', '2023-03-01', '2024-10-01'],
  subscriptions: ['2016-06-01', '2020-01-01', '2021-01-01', '2022-12-01'],
  marketplace: ['2021-01-01'],
  metrics: ['2024-02-01'],
} as const

const inSubscription = '/subscriptions/:subscription'

export const paths = {
  subscription: inSubscription,
  group: `${inSubscription}/resourceGroups/:group`,
  all: (type: string) => `${inSubscription}/providers/${type}`,
  list: (type: string) => `${inSubscription}/resourceGroups/:group/providers/${type}`,
  item: (type: string) => `${inSubscription}/resourceGroups/:group/providers/${type}/:name`,
  children: (type: string, child: string) => `${paths.item(type)}/${child}`,
  child: (type: string, child: string) => `${paths.item(type)}/${child}/:child`,
}

export function param(call: Call, name: string): string {
  const value = call.params[name]
  if (value === undefined) throw new Error(`The path of ${call.operation} has no :${name}.`)
  return value
}
