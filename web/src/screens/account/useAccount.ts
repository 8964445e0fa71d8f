import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { useMe } from '#src/session/me.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import type { Page } from './statement.ts'

/** What is asked for again is every page that is there: many pages are asked for less often. */
const REFRESH_MS = 30_000
const WATCH_MS = 4_000

/**
 * The account that is looked at: one's own, or for a superadmin that of the customer chosen.
 * @param awaits whether a payment is on its way, as the newest page has it: then it is asked for often
 */
export function useAccount(awaits: (newest: Page) => boolean) {
  const { role } = useMe()
  const { organization } = useSelection()
  return useInfiniteQuery({
    queryKey: [...api.account.read.key, 'pages', organization],
    queryFn: ({ pageParam, signal }) =>
      api.account.read(
        { ...(role === 'superadmin' && { organization: organization! }), ...(pageParam && { before: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ earlier }) => earlier,
    enabled: organization !== null,
    refetchInterval({ state }) {
      const pages = state.data?.pages ?? []
      return (pages[0] && awaits(pages[0]) ? WATCH_MS : REFRESH_MS) * Math.max(1, pages.length)
    },
  })
}
