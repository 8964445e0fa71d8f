import { prefetch } from './api/client.ts'
import { readSearch } from './navigation/search.ts'
import { selectionOf } from './navigation/selection.ts'
import { type Screen, screens } from './shell/screens.tsx'
import { readSession, type Session } from './session/session.ts'

/** Makes the calls that the shell and the screen at this address need first of all. */
function prefetchFor(session: Session, here: Screen | undefined): void {
  const { organization, ofTraining } = selectionOf(session, readSearch(location.search))
  const isSuperadmin = session.role === 'superadmin'
  void prefetch.session.me()
  if (isSuperadmin) void prefetch.organisation.list()
  if (organization !== null && (isSuperadmin || session.role === 'admin' || session.role === 'user'))
    void prefetch.training.names({ organization })
  if (ofTraining) void here?.prefetch?.(prefetch, ofTraining)
}

const session = readSession()
if (session) {
  // The files of the screen here, and its data, come beside the application and not after it.
  const here = screens.find(({ path, roles }) => path === location.pathname && roles.includes(session.role))
  // The router asks again for a file that did not come, and says so.
  here?.load().catch(() => undefined)
  prefetchFor(session, here)
  void import('./app.tsx')
} else {
  location.replace(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}
