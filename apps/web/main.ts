import './connect.ts'
import { modules } from '@trainyard/modules/web.ts'
import { cached } from '@trainyard/platform/web/api/cached.ts'
import { readSearch } from '@trainyard/platform/web/navigation/search.ts'
import { selectionOf } from '@trainyard/platform/web/navigation/selection.ts'
import { readSession, type Session, updateSession } from '@trainyard/platform/web/session/session.ts'
import { fetchFirst, loadScreen } from '@trainyard/platform/web/shell/load.ts'
import { openScreensOf, screensOf } from '@trainyard/platform/web/shell/module.ts'

/** Starts the console. Code and first replies of the screen and the shell are loaded while the application loads. */
function openConsole(session: Session): void {
  const { role } = session
  const choice = readSearch(location.search)
  const shown = screensOf(modules).find((screen) => screen.path === location.pathname && screen.for.includes(role))
  if (shown) {
    // The router loads a missing file again and reports the failure.
    loadScreen(modules, shown, role).catch(() => undefined)
    fetchFirst(cached, shown, session, choice)
  }
  fetchForShell(role, selectionOf(session, choice).organization)
  // React is evaluated in a separate task, so that no task is long on a slow phone.
  void import('react-dom/client').then(() => import('./app.tsx'))
}

/** The shell's own queries report failures. */
function fetchForShell(role: Session['role'], organization: string | null): void {
  const isSuperadmin = role === 'superadmin'
  cached.session.me().then(updateSession, () => undefined)
  if (isSuperadmin) cached.organisation.list().catch(() => undefined)
  if (organization !== null && (isSuperadmin || role === 'admin' || role === 'user'))
    cached.training.names({ organization }).catch(() => undefined)
}

const root = document.getElementById('root')!
const openScreen = openScreensOf(modules).find(({ path }) => path === root.dataset['screen'])
const session = readSession()
if (openScreen) void import('./open.tsx').then(({ showOpenScreen }) => showOpenScreen(openScreen, root))
else if (session) openConsole(session)
else location.replace(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
