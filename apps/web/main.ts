import './connect.ts'
import { modules } from '@trainyard/modules/web.ts'
import { prefetch } from '@trainyard/platform/web/api/client.ts'
import { readSearch } from '@trainyard/platform/web/navigation/search.ts'
import { selectionOf } from '@trainyard/platform/web/navigation/selection.ts'
import { loadScreen } from '@trainyard/platform/web/shell/load.ts'
import { openScreensOf, type Screen, screensOf } from '@trainyard/platform/web/shell/module.ts'
import { readSession, type Session, updateSession } from '@trainyard/platform/web/session/session.ts'

function prefetchFor(session: Session, screen: Screen | undefined): void {
  const { organization, trainingQuery } = selectionOf(session, readSearch(location.search))
  const isSuperadmin = session.role === 'superadmin'
  // The screen's own query of the user reports a failure.
  prefetch.session.me().then(updateSession, () => undefined)
  if (isSuperadmin) void prefetch.organisation.list()
  if (organization !== null && (isSuperadmin || session.role === 'admin' || session.role === 'user'))
    void prefetch.training.names({ organization })
  if (trainingQuery) void screen?.fetch?.(prefetch, trainingQuery)
}

const root = document.getElementById('root')!
const openScreen = openScreensOf(modules).find(({ path }) => path === root.dataset['screen'])
const session = readSession()
if (openScreen) {
  void import('./open.tsx').then(({ showOpenScreen }) => showOpenScreen(openScreen, root))
} else if (session) {
  // The screen's code and data are loaded while the application loads.
  const currentScreen = screensOf(modules).find(
    (screen) => screen.path === location.pathname && screen.for.includes(session.role),
  )
  // The router loads a missing file again and reports the failure.
  if (currentScreen) loadScreen(modules, currentScreen, session.role).catch(() => undefined)
  prefetchFor(session, currentScreen)
  // React is evaluated in a separate task, so that no task is long on a slow phone.
  void import('react-dom/client').then(() => import('./app.tsx'))
} else {
  location.replace(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}
