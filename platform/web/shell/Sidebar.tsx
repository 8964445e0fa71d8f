import { Address } from '../ui/Address.tsx'
import { Link, useLocation } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown'
import type { Role } from '../../contract/words/role.ts'
import { type Me, useMe } from '../session/me.ts'
import { choiceOf } from '../navigation/useSelection.ts'
import { Mark } from './Logo.tsx'
import { mayOpen, menuOf, rootOf } from '../navigation/menu.ts'
import { LoadedComponent } from './FillsOf.tsx'
import type { MenuGroup, Screen } from './module.ts'
import { connectedScreens } from './modules.ts'
import { Pickers } from './Pickers.tsx'
import styles from './Sidebar.module.css'
import { useActiveLinkInView } from './useActiveLinkInView.ts'

export function Sidebar() {
  const me = useMe()
  return (
    <div className={styles.sidebar}>
      <div className={styles.head}>
        {me.logo ? <img src={me.logo} alt="" height="28" className={styles.logo} /> : <Mark />}
        <span className={styles.name}>Trainyard</span>
      </div>
      {(me.role === 'user' || me.role === 'admin' || me.role === 'superadmin') && <Pickers />}
      <Menu />
      <footer className={styles.foot}>
        <dl className={styles.who}>
          <dt className="visually-hidden">E-mail</dt>
          <dd className={styles.email}>
            <Address>{me.email}</Address>
          </dd>
          <dt className="visually-hidden">Access level</dt>
          <dd>{levelOf(me)}</dd>
          <dt className="visually-hidden">Organisation</dt>
          <dd title={me.organization}>{me.organization}</dd>
          <dt className="visually-hidden">Version of the portal</dt>
          <dd>Version {import.meta.env['VITE_VERSION']}</dd>
        </dl>
        <a href="/logout" className={styles.logout}>
          Logout
        </a>
      </footer>
    </div>
  )
}

const levelOf = ({ role, instructorOf }: Me): string =>
  role === 'user' && instructorOf && instructorOf.length > 0 ? `Instructor of ${instructorOf.join(', ')}` : role

function Menu() {
  const me = useMe()
  const screens = connectedScreens()
  const { pathname } = useLocation()
  const [collapsed, toggle] = useCollapsedGroups()
  const nav = useRef<HTMLElement>(null)
  const shown = screens.find(({ path }) => path === pathname)
  const current = shown && entryOf(rootOf(me, screens, shown), me.role)
  useActiveLinkInView(nav, current)
  return (
    <nav ref={nav} aria-label="Screens" className={styles.nav}>
      {menuOf(me, screens).map(({ group, screens: entries }) => {
        const isCollapsed = collapsed.includes(group)
        return (
          <div key={group} className={styles.group}>
            {group !== 'Start' && (
              <h2 className={styles.over}>
                <button type="button" aria-expanded={!isCollapsed} onClick={() => toggle(group)}>
                  {group}
                  {isCollapsed && entries.map(({ path }) => path !== current && <Badges key={path} of={path} />)}
                  <IconChevronDown size={14} aria-hidden />
                </button>
              </h2>
            )}
            <ul className={styles.line}>
              {entries.map(
                ({ path, title, menu: { icon: Icon } }) =>
                  // The entry of the shown screen stays in sight.
                  (!isCollapsed || path === current) && (
                    <li key={path}>
                      <Link
                        to={path}
                        search={choiceOf}
                        activeOptions={{ exact: true, includeSearch: false }}
                        className={styles.stop}
                        aria-current={path === current || undefined}
                      >
                        <Icon size={16} aria-hidden />
                        {title}
                        <Badges of={path} />
                      </Link>
                    </li>
                  ),
              )}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** Badges of a menu entry and of the tabs of its screen. */
function Badges({ of: path }: { of: string }) {
  const me = useMe()
  const screens = connectedScreens()
  return screens.map(
    (screen) =>
      screen.badge?.for.includes(me.role) &&
      mayOpen(me, screen, null) === true &&
      rootOf(me, screens, screen).path === path && <LoadedComponent key={screen.path} load={screen.badge.load} />,
  )
}

/** Returns the path of the menu entry that is marked for a screen. */
const entryOf = ({ path, menu }: Screen, role: Role): string =>
  (menu?.roles?.includes(role) === false && menu.otherwise) || path

const COLLAPSED = 'collapsedGroups'

/** Returns the groups that the user has collapsed in this browser. */
function useCollapsedGroups(): readonly [readonly MenuGroup[], (group: MenuGroup) => void] {
  const [collapsed, setCollapsed] = useState(
    () => (localStorage.getItem(COLLAPSED)?.split(',') ?? []) as readonly MenuGroup[],
  )
  const toggle = (group: MenuGroup) => {
    const next = collapsed.includes(group) ? collapsed.filter((each) => each !== group) : [...collapsed, group]
    localStorage.setItem(COLLAPSED, next.join(','))
    setCollapsed(next)
  }
  return [collapsed, toggle]
}
