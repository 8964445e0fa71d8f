import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Role } from '@trainyard/contract/words/role.ts'
import { useMe } from '#src/session/me.ts'
import { type Screen, screens } from './screens.tsx'
import { RowContext } from '#src/ui/Screen.tsx'
import { notices } from '#src/ui/notices.ts'
import { ScreenSkeleton } from '#src/ui/Skeleton.tsx'
import { LoadFailed, NotFound, PermissionError } from './ErrorPages.tsx'
import { MissingChoice } from './MissingChoice.tsx'
import { readSearch, writeSearch } from '#src/navigation/search.ts'
import { Shell } from './Shell.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The roles that may open the screen. */
    readonly roles?: readonly Role[]
  }
}

/** Off line a screen's code is waited for: asked for in vain, it would have the router load a page that can't come. */
const online = (): Promise<void> =>
  navigator.onLine
    ? Promise.resolve()
    : new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }))

/** Returns the screen of a row for those who may open it, and the permission page for all others. */
function guarded(row: Screen) {
  const Lazy = lazyRouteComponent(() => online().then(row.load))
  const { preload } = Lazy
  function Guarded() {
    const { role } = useMe()
    return (
      <RowContext value={row}>
        {row.roles.includes(role) ? (
          <>
            <MissingChoice />
            <Suspense fallback={<ScreenSkeleton />}>
              <Lazy />
            </Suspense>
          </>
        ) : (
          <PermissionError />
        )}
      </RowContext>
    )
  }
  // The way to a screen does not wait for the network: its skeleton stands there meanwhile.
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
        staticData: { roles: row.roles },
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
router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && notices.dropAlerts())
for (const action of ['click', 'submit']) addEventListener(action, notices.noteAction, true)
