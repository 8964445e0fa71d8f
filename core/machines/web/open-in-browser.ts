import { messageOf } from '@trainyard/platform/web/api/error.ts'
import { CLICKED_AT } from './clicked-at.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'

/** Opens the address that a request returns in a new tab. */
export async function openInTab(requestUrl: () => Promise<{ readonly url: string }>): Promise<void> {
  // The tab is opened in the click handler, because browsers block tabs that are opened later.
  const tab = window.open('', '_blank')
  if (tab === null) {
    notify.alert('Your browser blocked the new tab. Allow pop-ups for the portal and try again.')
    return
  }
  tab.sessionStorage.setItem(CLICKED_AT, String(Date.now()))
  // The page can belong to another gateway, which must not control this tab.
  tab.opener = null
  try {
    const { url } = await requestUrl()
    tab.location.replace(new URL(url, location.origin))
  } catch (error) {
    tab.close()
    notify.alert(messageOf(error))
  }
}
