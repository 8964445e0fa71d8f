import { useQuery } from '@tanstack/react-query'
import { DEFAULT_TIME_ZONE } from '../../contract/words/limits.ts'
import type { Role } from '../../contract/words/role.ts'
import { api } from '../api/client.ts'
import { query } from '../api/queries.ts'
import { readSession, updateSession } from './session.ts'

export interface Me {
  readonly email: string
  readonly organization: string
  readonly role: Role
  readonly logo: string | null
  readonly timeZone: string
  /** Trainings of which a user is an instructor; null until the server has replied. */
  readonly instructorOf: readonly string[] | null
  /** Calls that the user may make, such as 'machine.order'; empty until the server has replied. */
  readonly abilities: readonly string[]
  /** Deadline (RFC 3339) for setting up a second factor, and whether it has passed; null if none is required. */
  readonly secondFactorDue: { readonly at: string; readonly over: boolean } | null
}

async function fetchMe() {
  const me = await api.session.me()
  updateSession(me)
  return me
}

/** Returns the signed-in user: at first from storage, then from the server. */
export function useMe(): Me {
  const { data } = useQuery({ ...query(api.session.me), queryFn: fetchMe, staleTime: 60_000 })
  const stored = readSession()
  return {
    email: data?.email ?? stored?.email ?? 'Unknown',
    organization: data?.organization ?? stored?.organization ?? 'Unknown',
    role: data?.userType ?? stored?.role ?? 'user',
    logo: data?.logo ?? null,
    timeZone: data?.timeZone ?? DEFAULT_TIME_ZONE,
    abilities: data?.abilities ?? [],
    instructorOf: data?.instructorOf ?? null,
    secondFactorDue: data?.secondFactorDue ?? null,
  }
}
