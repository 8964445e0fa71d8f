import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Role } from '../../contract/words/role.ts'
import { useMe } from '../session/me.ts'
import { readSession } from '../session/session.ts'
import { ShownScreenContext } from '../ui/Screen.tsx'
import { notices } from '../ui/notices.ts'
import { ScreenSkeleton } from '../ui/Skeleton.tsx'
import { LoadFailed, NotFound, PermissionError } from './ErrorPages.tsx'
import { MissingChoice } from './MissingChoice.tsx'
import { mayOpen, rootOf } from '../navigation/menu.ts'
import { useSelection } from '../navigation/useSelection.ts'
import { readSearch, writeSearch } from '../navigation/search.ts'
import { cached } from '../api/cached.ts'
import { fetchFirst, loadScreen } from './load.ts'
import { type Screen, screensOf, type WebModule } from './module.ts'
import { connectedScreens } from './modules.ts'
import { Shell } from './Shell.tsx'
import { trainingHeader } from './slots.ts'
import { Tabs } from './Tabs.tsx'
import { Fills, useFills } from './Fills.tsx'
import { contextOf } from '../navigation/context.ts'
import styles from './TrainingHeader.module.css'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly roles?: readonly Role[]
    readonly instructors?: true | undefined
  }
}

/**
 * Resolves when the browser is online. Importing a screen's code while offline would fail, and the router would show the
 * error page.
 */
const whenOnline = (): Promise<void> =>
  navigator.onLine
    ? Promise.resolve()
    : new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }))

function guarded(modules: readonly WebModule[], screen: Screen) {
  const Lazy = lazyRouteComponent(() =>
    whenOnline().then(() => loadScreen(modules, screen, readSession()?.role ?? 'user')),
  )
  const { preload } = Lazy
  function Guarded() {
    const me = useMe()
    const { training, trainingQuery } = useSelection()
    const allowed = mayOpen(me, screen, training)
    const screens = connectedScreens()
    const root = rootOf(me, screens, screen)
    const hasLine = useFills(trainingHeader).length > 0 && allowed === true && contextOf(screens, screen) === 'training'
    const aside = root.tabs?.aside === true
    const tabs = allowed === true && <Tabs of={screen} aside={aside} />
    return (
      <ShownScreenContext
        value={{
          screen,
          root,
          head: (
            <>
              {hasLine && trainingQuery !== null && (
                <div className={styles.line} data-training>
                  <Fills of={trainingHeader} props={{ training: trainingQuery }} />
                </div>
              )}
              {!aside && tabs}
            </>
          ),
          aside: aside && tabs,
          notice: allowed === true && <MissingChoice of={screen} />,
        }}
      >
        {allowed === null ? (
          <ScreenSkeleton />
        ) : allowed ? (
          <Suspense fallback={<ScreenSkeleton />}>
            <Lazy />
          </Suspense>
        ) : (
          <PermissionError />
        )}
      </ShownScreenContext>
    )
  }
  // The preload is skipped while offline, because the router would wait for it instead of showing the skeleton.
  return Object.assign(Guarded, { preload: () => (navigator.onLine ? preload?.() : undefined) })
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: LoadFailed,
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string>,
})

export function createAppRouter(modules: readonly WebModule[]) {
  const router = createRouter({
    routeTree: root.addChildren(
      screensOf(modules).map((screen) =>
        createRoute({
          getParentRoute: () => root,
          path: screen.path,
          staticData: { roles: screen.for, instructors: screen.instructors },
          loader: ({ location }) => {
            const session = readSession()
            if (session !== null) fetchFirst(cached, screen, session, location.search)
          },
          component: guarded(modules, screen),
          errorComponent: LoadFailed,
        }),
      ),
    ),
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && notices.clearAlerts())
  return router
}

for (const action of ['click', 'submit']) addEventListener(action, notices.noteAction, true)
