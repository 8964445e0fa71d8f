import { useQuery } from '@tanstack/react-query'
import { DEFAULT_TIME_ZONE } from '@trainyard/contract/words/limits.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { readSession, storeSession } from './session.ts'

export interface Me {
  readonly email: string
  readonly organization: string
  readonly role: Role
  /** Address of the organisation's logo; null: the default one. */
  readonly logo: string | null
  /** The organisation's zone, by IANA name: dates and times are shown in it. */
  readonly timeZone: string
  /** The instant (RFC 3339) by which a second factor is to be set up, and true once it is past; null: none is due. */
  readonly secondFactorDue: { readonly at: string; readonly over: boolean } | null
}

/** Fetches the owner of the session, and corrects the browser's storage where it says otherwise. */
async function fetchMe() {
  const me = await api.session.me()
  const uid = readSession()?.uid
  if (uid) storeSession({ uid, email: me.email, organization: me.organization, session: me.userType })
  return me
}

/** Returns the person signed in: at once from storage, then as the server says. */
export function useMe(): Me {
  const { data } = useQuery({ ...query(api.session.me), queryFn: fetchMe, staleTime: 60_000 })
  const stored = readSession()
  return {
    email: data?.email ?? stored?.email ?? 'Unknown',
    organization: data?.organization ?? stored?.organization ?? 'Unknown',
    role: data?.userType ?? stored?.role ?? 'user',
    logo: data?.logo ?? null,
    timeZone: data?.timeZone ?? DEFAULT_TIME_ZONE,
    secondFactorDue: data?.secondFactorDue ?? null,
  }
}
