import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { query } from '../api/queries.ts'
import { useRef } from 'react'
import { rootOf, type Tab, tabsOf } from '../navigation/menu.ts'
import { choiceOf, useSelection } from '../navigation/useSelection.ts'
import { useMe } from '../session/me.ts'
import type { Screen } from './module.ts'
import { connectedScreens } from './modules.ts'
import styles from './Tabs.module.css'
import { useActiveLinkInView } from './useActiveLinkInView.ts'

/** Links to the screens that are tabs of one screen: in its header, or as a list beside its content. */
export function Tabs({ of: shown, aside }: { of: Screen; aside: boolean }) {
  const me = useMe()
  const screens = connectedScreens()
  const { training, trainingQuery } = useSelection()
  const root = rootOf(me, screens, shown)
  const tabs = tabsOf(me, screens, shown, training)
  const conditions = tabs.flatMap(({ onlyIf }) => onlyIf ?? [])
  const replies = useQueries({ queries: conditions.map(({ callOf }) => query(callOf(api), trainingQuery)) })
  const isShown = ({ screen, onlyIf }: Tab): boolean => {
    if (onlyIf === undefined || screen === shown) return true
    const reply = replies[conditions.indexOf(onlyIf)]!.data
    return reply !== undefined && onlyIf.isMetBy(reply)
  }
  const nav = useRef<HTMLElement>(null)
  // On a phone, not all of them are in view.
  useActiveLinkInView(nav, shown)
  if (tabs.length === 0) return null
  return (
    <nav
      ref={nav}
      className={`${styles.tabs} no-print`}
      data-aside={aside || undefined}
      aria-label={`Parts of ${root.title}`}
    >
      {tabs.filter(isShown).map(({ screen: { path }, title }) => (
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
