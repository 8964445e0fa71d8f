import type { QueryKey } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { template, user } from '@trainyard/contract/calls/superadmin.ts'
import { api } from '#src/api.ts'
import { organisationsKey } from '#src/trainings.ts'

export type User = ReplyOf<typeof user.list>['users'][number]
export type Template = ReplyOf<typeof template.list>['templates'][number]
export type Assignment = ReplyOf<typeof template.assigned>['assigned'][number]
/** A name as a row. */
export interface Organisation {
  readonly name: string
}

/** Where a list comes from, and the key under which it is kept: invalidate it after a change. */
export interface ListSource<Reply> {
  readonly queryKey: QueryKey
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<Reply>
}

const sourceOf = <Reply>(
  queryKey: QueryKey,
  list: (input: undefined, options: { signal: AbortSignal }) => Promise<Reply>,
): ListSource<Reply> => ({ queryKey, queryFn: ({ signal }) => list(undefined, { signal }) })

export const organisations = sourceOf(organisationsKey, api.organisation.list)
export const users = sourceOf(['users'], api.user.list)
export const templates = sourceOf(['templates'], api.template.list)
export const assignments = sourceOf(['assignments'], api.template.assigned)
