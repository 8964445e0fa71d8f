import IconMenu2 from '@tabler/icons-react/icons/IconMenu2'
import IconMoon from '@tabler/icons-react/icons/IconMoon'
import IconSun from '@tabler/icons-react/icons/IconSun'
import IconUser from '@tabler/icons-react/icons/IconUser'
import { Link, useLocation } from '@tanstack/react-router'
import { useMe } from '../session/me.ts'
import { contextOf } from '../navigation/context.ts'
import { rootOf } from '../navigation/menu.ts'
import { choiceOf, useSelection } from '../navigation/useSelection.ts'
import { useScheme } from '../theme/scheme.ts'
import { Fills } from './Fills.tsx'
import { connectedScreens } from './modules.ts'
import { shellSearch, shellTools } from './slots.ts'
import styles from './TopBar.module.css'
import { timeOfDay } from '../ui/time.ts'
import { useNow } from '../ui/useNow.ts'

export function TopBar({ openMenu }: { openMenu: () => void }) {
  const me = useMe()
  const { email, role, timeZone } = me
  const { pathname } = useLocation()
  const screens = connectedScreens()
  const sandbox = role === 'sandboxuser' || role === 'awssandboxuser'
  const shown = screens.find(({ path }) => path === pathname)
  const context = sandbox || !shown ? null : contextOf(screens, shown)
  const { organization, training: chosen } = useSelection()
  const training = context === 'training' ? chosen : null
  const [scheme, choose] = useScheme()
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <header className={`${styles.bar} no-print`}>
      <button
        type="button"
        className={`icon-button ${styles.button} ${styles.menu}`}
        aria-label="Open the menu"
        onClick={openMenu}
      >
        <IconMenu2 size={18} aria-hidden />
      </button>
      <p className={styles.place}>
        {!sandbox && (
          <span className={training ? styles.behind : undefined}>
            {(role === 'superadmin' && context === null ? null : organization) ?? 'All customers'}
            {training && <span aria-hidden="true"> /</span>}
          </span>
        )}
        {training && <strong>{training}</strong>}
        {training && shown && (
          <span className={styles.heading} aria-hidden="true">
            {rootOf(me, screens, shown).title}
          </span>
        )}
      </p>
      <Fills of={shellSearch} props={{}} />
      <Clock timeZone={timeZone} />
      {!sandbox && (
        <span className={styles.button}>
          <Fills of={shellTools} props={{}} />
        </span>
      )}
      <button
        type="button"
        className={`icon-button ${styles.button}`}
        aria-label={`Switch to ${other} colours`}
        onClick={() => choose(other)}
      >
        {scheme === 'dark' ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
      </button>
      <Link
        to="/account"
        search={choiceOf}
        className={`icon-button ${styles.button}`}
        aria-label="Account Security"
        title={`Account Security of ${email}`}
      >
        <IconUser size={18} aria-hidden />
      </Link>
    </header>
  )
}

/** Current time in the organisation's time zone, which schedules and access windows use. */
function Clock({ timeZone }: { timeZone: string }) {
  const now = useNow()
  return (
    <time className={styles.clock} dateTime={now.toISOString()} title={timeZone}>
      {timeOfDay(now, timeZone)}
      <span className={styles.zone}>{timeZone.split('/').at(-1)?.replaceAll('_', ' ')}</span>
    </time>
  )
}
