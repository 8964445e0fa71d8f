import type { Refusal } from '#src/azure/arm/refusal.ts'
import type { Fault } from '#src/faults/fault.ts'

/** One call of Azure's published interface, by the name it has there (operationId). */
export interface Operation {
  readonly name: string
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  /** `:subscription`, `:group`, `:name`, `:child` and so on; compared without regard to case. */
  readonly path: string
  readonly versions: readonly string[]
  /** The action that a role must give, where the path does not lead to it. */
  readonly action?: string
  /** Runs inside one transaction; a thrown Refusal undoes it and becomes the reply. */
  handle(call: Call): Answer
  /** Writes the traces that a refusal leaves, once all else is undone. */
  refused?(call: Call, refusal: Refusal): void
}

export interface Call {
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The path as it was asked for, without the query. */
  readonly path: string
  readonly version: string
  readonly body: unknown
  /** The emulator's clock, in milliseconds, read once for the whole call. */
  readonly now: number
  /** How a long operation that this call begins will end; faults change it. */
  readonly ending: Ending
  /** The fault that strikes this call, where it makes another answer of it. */
  readonly struckBy: Fault['kind'] | undefined
}

export type Ending =
  | { readonly kind: 'success' }
  | { readonly kind: 'never' }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string }

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Those that Azure's published files, its newest clients or recordings of it ask for, the oldest first. */
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
  subscriptions: ['2016-06-01', '2020-01-01', '2021-01-01', '2022-12-01'],
  marketplace: ['2021-01-01'],
  metrics: ['2024-02-01'],
} as const

const inSubscription = '/subscriptions/:subscription'

export const at = {
  subscription: inSubscription,
  group: `${inSubscription}/resourceGroups/:group`,
  /** The list of a type in a whole subscription. */
  all: (type: string) => `${inSubscription}/providers/${type}`,
  list: (type: string) => `${inSubscription}/resourceGroups/:group/providers/${type}`,
  item: (type: string) => `${inSubscription}/resourceGroups/:group/providers/${type}/:name`,
  children: (type: string, child: string) => `${at.item(type)}/${child}`,
  child: (type: string, child: string) => `${at.item(type)}/${child}/:child`,
}

export function param(call: Call, name: string): string {
  const value = call.params[name]
  if (value === undefined) throw new Error(`The path of ${call.operation} has no :${name}.`)
  return value
}
