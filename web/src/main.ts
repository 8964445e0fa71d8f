import { prefetch } from './api/client.ts'
import { readSearch } from './navigation/search.ts'
import { selectionOf } from './navigation/selection.ts'
import { type Screen, screens } from './shell/screens.tsx'
import { readSession, type Session, updateSession } from './session/session.ts'

function prefetchFor(session: Session, screen: Screen | undefined): void {
  const { organization, trainingQuery } = selectionOf(session, readSearch(location.search))
  const isSuperadmin = session.role === 'superadmin'
  // The screen's own query of the user reports a failure.
  prefetch.session.me().then(updateSession, () => undefined)
  if (isSuperadmin) void prefetch.organisation.list()
  if (organization !== null && (isSuperadmin || session.role === 'admin' || session.role === 'user'))
    void prefetch.training.names({ organization })
  if (trainingQuery) void screen?.prefetch?.(prefetch, trainingQuery)
}

const session = readSession()
if (session) {
  // The screen's code and data are loaded while the application loads.
  const currentScreen = screens.find(({ path, roles }) => path === location.pathname && roles.includes(session.role))
  // The router loads a missing file again and reports the failure.
  currentScreen?.load().catch(() => undefined)
  prefetchFor(session, currentScreen)
  // React is evaluated in a separate task, so that no task is long on a slow phone.
  void import('react-dom/client').then(() => import('./app.tsx'))
} else {
  location.replace(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}
