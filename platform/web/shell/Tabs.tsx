import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { query } from '../api/queries.ts'
import { useRef, useState } from 'react'
import { rootOf, type Tab, tabsOf } from '../navigation/menu.ts'
import { choiceOf, useSelection } from '../navigation/useSelection.ts'
import { useMe } from '../session/me.ts'
import { haveReplied } from '../ui/have-replied.ts'
import type { Screen } from './module.ts'
import { connectedScreens } from './modules.ts'
import styles from './Tabs.module.css'
import { useActiveLinkInView } from './useActiveLinkInView.ts'

/**
 * Links to the screens that are tabs of one screen: in its header, or as a list beside its content. The key names the
 * training.
 */
export function Tabs({ of: shown, aside }: { of: Screen; aside: boolean }) {
  const me = useMe()
  const screens = connectedScreens()
  const { training, trainingQuery } = useSelection()
  const root = rootOf(me, screens, shown)
  const tabs = tabsOf(me, screens, shown, training)
  const conditions = tabs.flatMap(({ onlyIf }) => onlyIf ?? [])
  const replies = useQueries({ queries: conditions.map(({ callOf }) => query(callOf(api), trainingQuery)) })
  const replyTo = ({ onlyIf }: Tab) => replies[conditions.indexOf(onlyIf!)]!
  const isFree = ({ screen, onlyIf }: Tab) => onlyIf === undefined || screen === shown
  const isShown = (tab: Tab): boolean => {
    if (isFree(tab)) return true
    const { data } = replyTo(tab)
    return data !== undefined && tab.onlyIf!.isMetBy(data)
  }
  // Tabs after one that is not decided yet wait for it, because a tab that appears would move them under a click. One
  // that is decided later comes last.
  const undecided = tabs.findIndex((tab) => trainingQuery !== null && !isFree(tab) && !haveReplied(replyTo(tab)))
  const decided = tabs.slice(0, undecided === -1 ? undefined : undecided).filter(isShown)
  const [order, setOrder] = useState<readonly string[]>([])
  const late = decided.flatMap(({ screen: { path } }) => (order.includes(path) ? [] : [path]))
  if (late.length > 0) setOrder([...order, ...late])
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
      {order
        .flatMap((path) => tabs.find(({ screen }) => screen.path === path) ?? [])
        .map(({ screen: { path }, title }) => (
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
