import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { useMe } from '#src/session/me.ts'
import { FIELD_NAMES, type Fields, filterOf } from './filter.ts'

/**
 * Returns the audit rows selected by the URL: of the user's own organisation, or for a superadmin of the selected or
 * all customers.
 */
export function useAudit() {
  const { role, timeZone } = useMe()
  const { organization } = useSelection()
  const search = useSearch({ strict: false }) as Fields
  const navigate = useNavigate()
  const fields: Fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, search[name]]))
  const filter = {
    ...filterOf(fields, timeZone),
    ...(role === 'superadmin' && organization !== null && { organization }),
  }
  const pages = useInfiniteQuery({
    queryKey: [...api.audit.list.key, filter],
    queryFn: ({ pageParam, signal }) =>
      api.audit.list({ ...filter, ...(pageParam && { before: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ earlier }) => earlier,
  })
  const apply = (next: Fields) => {
    const given = Object.fromEntries(FIELD_NAMES.map((name) => [name, next[name] || undefined]))
    void navigate({ to: '.', search: (now: object) => ({ ...now, ...given }) as never })
  }
  return { fields, filter, pages, apply }
}
