import { Link } from '@tanstack/react-router'
import { rootOf, tabsOf } from '../navigation/menu.ts'
import { choiceOf, useSelection } from '../navigation/useSelection.ts'
import { useMe } from '../session/me.ts'
import { useScreenRoute } from '../ui/Screen.tsx'
import { connectedScreens } from './modules.ts'
import styles from './Tabs.module.css'

/** Links to the screens that are tabs of one screen. */
export function Tabs() {
  const me = useMe()
  const screens = connectedScreens()
  const shown = useScreenRoute()
  const { training } = useSelection()
  const tabs = shown === null ? [] : tabsOf(me, screens, shown, training)
  if (shown === null || tabs.length === 0) return null
  return (
    <nav className={`${styles.tabs} no-print`} aria-label={`Parts of ${rootOf(screens, shown).title}`}>
      {tabs.map(({ path, title }) => (
        <Link
          key={path}
          to={path}
          search={choiceOf}
          activeOptions={{ exact: true, includeSearch: false }}
          className={styles.tab}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
