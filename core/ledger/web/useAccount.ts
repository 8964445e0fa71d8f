import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { pagesOf } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import type { Page } from './statement.ts'

/** Poll intervals in ms per loaded page, since each poll fetches all pages. */
const REFRESH_MS = 20_000
const WATCH_MS = 4_000

/** @param awaits true while a payment is missing on the newest page: the account is then polled more often */
export function useAccount(awaits: (newest: Page) => boolean) {
  const { role } = useMe()
  const { organization } = useSelection()
  return useInfiniteQuery({
    ...pagesOf(api.ledger.account, role === 'superadmin' ? { organization: organization! } : {}),
    enabled: organization !== null,
    refetchInterval({ state }) {
      const pages = state.data?.pages ?? []
      return (pages[0] && awaits(pages[0]) ? WATCH_MS : REFRESH_MS) * Math.max(1, pages.length)
    },
  })
}
