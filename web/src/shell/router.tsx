import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Role } from '@trainyard/contract/words/role.ts'
import { useMe } from '#src/session/me.ts'
import { type Screen, screens } from './screens.tsx'
import { ScreenRouteContext } from '#src/ui/Screen.tsx'
import { notices } from '#src/ui/notices.ts'
import { ScreenSkeleton } from '#src/ui/Skeleton.tsx'
import { LoadFailed, NotFound, PermissionError } from './ErrorPages.tsx'
import { MissingChoice } from './MissingChoice.tsx'
import { mayOpen } from '#src/navigation/menu.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { readSearch, writeSearch } from '#src/navigation/search.ts'
import { Shell } from './Shell.tsx'

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

function guarded(row: Screen) {
  const Lazy = lazyRouteComponent(() => whenOnline().then(row.load))
  const { preload } = Lazy
  function Guarded() {
    const me = useMe()
    const allowed = mayOpen(me, row, useSelection().training)
    return (
      <ScreenRouteContext value={row}>
        {allowed === null ? (
          <ScreenSkeleton />
        ) : allowed ? (
          <>
            <MissingChoice />
            <Suspense fallback={<ScreenSkeleton />}>
              <Lazy />
            </Suspense>
          </>
        ) : (
          <PermissionError />
        )}
      </ScreenRouteContext>
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

export const router = createRouter({
  routeTree: root.addChildren(
    screens.map((row) =>
      createRoute({
        getParentRoute: () => root,
        path: row.path,
        staticData: { roles: row.roles, instructors: row.instructors },
        component: guarded(row),
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
for (const action of ['click', 'submit']) addEventListener(action, notices.noteAction, true)
