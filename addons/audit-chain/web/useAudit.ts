import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { pagesOf } from '@trainyard/platform/web/api/queries.ts'
import { useSearchState } from '@trainyard/platform/web/navigation/useSearchState.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FIELD_NAMES, type Fields, filterOf } from './filter.ts'

/** Audit rows of the user's own organisation; a superadmin sees the selected or all customers. */
export function useAudit() {
  const { role, timeZone } = useMe()
  const { organization } = useSelection()
  const [search, write] = useSearchState<keyof Fields>()
  const fields: Fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, search[name]]))
  const filter = {
    ...filterOf(fields, timeZone),
    ...(role === 'superadmin' && organization !== null && { organization }),
  }
  const pages = useInfiniteQuery(pagesOf(api.audit.list, filter))
  const apply = (next: Fields) => write(Object.fromEntries(FIELD_NAMES.map((name) => [name, next[name] || undefined])))
  return { fields, filter, pages, apply }
}
