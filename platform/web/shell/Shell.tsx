import { Outlet, useLocation, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLostSince } from '../api/connection.ts'
import { useIsServerBusy } from '../api/queries.ts'
import { useOtherVersion } from '../api/version.ts'
import { useMe } from '../session/me.ts'
import { reauthentication } from '../session/reauthentication.ts'
import { Drawer } from './Drawer.tsx'
import { Fills, useFills } from './Fills.tsx'
import { Mark } from './Logo.tsx'
import { Sidebar } from './Sidebar.tsx'
import { shellBars, shellIdentity } from './slots.ts'
import { TopBar } from './TopBar.tsx'
import { VersionBar } from './VersionBar.tsx'
import { useReconnecting } from './useReconnecting.ts'
import styles from './Shell.module.css'
import { timeOfDay, formatInstant } from '../ui/time.ts'
import bar from './ConnectionBar.module.css'
import { choiceOf } from '../navigation/useSelection.ts'

export function Shell() {
  const main = useRef<HTMLElement>(null)
  const [drawer, setDrawer] = useState(false)
  const { pathname, search } = useLocation()
  const { training } = search as { training?: string }
  const lostSince = useLostSince()
  const isBusy = useIsServerBusy()
  const otherVersion = useOtherVersion()
  useReconnecting(lostSince)
  useEffect(() => setDrawer(false), [pathname, training])
  return (
    <div className={styles.shell}>
      <a
        href="#main"
        className={styles.skip}
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the content
      </a>
      <aside className={styles.side}>
        <Sidebar />
      </aside>
      {drawer && (
        <Drawer close={() => setDrawer(false)}>
          <Sidebar />
        </Drawer>
      )}
      <TopBar openMenu={() => setDrawer(true)} />
      <div className={styles.letterhead} aria-hidden="true">
        <Mark size={24} />
        Trainyard
      </div>
      {lostSince !== null ? (
        <ConnectionBar since={lostSince} />
      ) : isBusy ? (
        <output className={`${bar.bar} no-print`}>The portal is busy. Trying again...</output>
      ) : otherVersion !== null ? (
        <VersionBar version={otherVersion} />
      ) : (
        <SecondFactorBar />
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main} data-stale={lostSince !== null || undefined}>
        <Fills of={shellBars} props={{}} />
        <Outlet />
      </main>
      {useFills(shellIdentity).length > 0 && <Reauthentication />}
    </div>
  )
}

/** Dialog for calls that the server refuses until the user confirms their identity. */
function Reauthentication() {
  const pending = useSyncExternalStore(reauthentication.subscribe, reauthentication.read)
  return (
    pending && (
      <Fills of={shellIdentity} props={{ confirmed: () => pending.settle(true), close: () => pending.settle(false) }} />
    )
  )
}

function ConnectionBar({ since }: { since: number }) {
  const { timeZone } = useMe()
  return (
    <output className={`${bar.bar} no-print`}>
      No connection to the portal since {timeOfDay(new Date(since), timeZone)}. What you see may be out of date.
      Reconnecting...
    </output>
  )
}

function SecondFactorBar() {
  const { secondFactorDue: due, timeZone } = useMe()
  if (due === null) return null
  const day = formatInstant(due.at, timeZone).split(', ')[1]!
  return (
    <output className={`${bar.bar} no-print`}>
      {due.over
        ? 'Your access level requires a second factor. Everything else is locked until you set one up in '
        : `Your access level requires a second factor by ${day}. Set one up in `}
      <Link to="/account" search={choiceOf}>
        Account Security
      </Link>
      .
    </output>
  )
}
