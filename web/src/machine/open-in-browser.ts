import { api } from '#src/api/client.ts'
import { CLICKED_AT } from '#src/remote/clicked-at.ts'
import { notify } from '#src/ui/notices.ts'

/** Opens the lab remote-access page on a machine in a new tab, with a ticket in the address that is good once. */
export const openInBrowser = (machine: string): Promise<void> => inTab(() => api.remote.ticket({ vmName: machine }))

/** Opens the page that shows the terminal of a machine's learner. */
export const watchInBrowser = (machine: string): Promise<void> => inTab(() => api.remote.watch({ vmName: machine }))

async function inTab(ask: () => Promise<{ readonly url: string }>): Promise<void> {
  // The tab opens within the click, or browsers take it for a pop-up.
  const tab = window.open('', '_blank')
  if (tab === null) {
    notify.alert('This browser does not let the portal open a tab. Allow pop-ups for it and try again.')
    return
  }
  // The wait begins here: the page there tells how long it was.
  tab.sessionStorage.setItem(CLICKED_AT, String(Date.now()))
  // The page may be another gateway's: it must not steer this tab.
  tab.opener = null
  try {
    const { url } = await ask()
    tab.location.replace(new URL(url, location.origin))
  } catch (error) {
    tab.close()
    notify.alert(error instanceof Error ? error.message : String(error))
  }
}
