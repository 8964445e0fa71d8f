import { Link, useLocation } from '@tanstack/react-router'
import { useMe } from '../session/me.ts'
import { choiceOf } from '../navigation/useSelection.ts'
import { Mark } from './Logo.tsx'
import { menuOf, rootOf } from '../navigation/menu.ts'
import { LoadedComponent } from './FillsOf.tsx'
import { MenuIcon } from './MenuIcon.tsx'
import { connectedScreens } from './modules.ts'
import { Pickers } from './Pickers.tsx'
import styles from './Sidebar.module.css'

export function Sidebar() {
  const me = useMe()
  const all = connectedScreens()
  const { pathname } = useLocation()
  const shown = all.find(({ path }) => path === pathname)
  const ofTab = shown?.tab && rootOf(all, shown).path
  return (
    <div className={styles.sidebar}>
      <div className={styles.head}>
        {me.logo ? <img src={me.logo} alt="" height="28" className={styles.logo} /> : <Mark />}
        <span className={styles.name}>Trainyard</span>
      </div>
      {(me.role === 'user' || me.role === 'admin' || me.role === 'superadmin') && <Pickers />}
      <nav aria-label="Screens" className={styles.nav}>
        {menuOf(me, all).map(({ group, screens }) => (
          <div key={group} className={styles.group}>
            {group !== 'Start' && <h2 className={`over ${styles.over}`}>{group}</h2>}
            <ul className={styles.line}>
              {screens.map(({ path, title, menu: { icon, badge } }) => (
                <li key={path}>
                  <Link
                    to={path}
                    search={choiceOf}
                    activeOptions={{ exact: true, includeSearch: false }}
                    className={styles.stop}
                    aria-current={path === ofTab || undefined}
                  >
                    <MenuIcon icon={icon} />
                    {title}
                    {badge?.for.includes(me.role) && <LoadedComponent load={badge.load} />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <footer className={styles.foot}>
        <dl className={styles.who}>
          <dt className="visually-hidden">E-mail</dt>
          <dd className={styles.email} title={me.email}>
            {me.email}
          </dd>
          <dt className="visually-hidden">Access level</dt>
          <dd>{me.role}</dd>
          <dt className="visually-hidden">Organisation</dt>
          <dd title={me.organization}>{me.organization}</dd>
        </dl>
        <a href="/logout" className={styles.logout}>
          Logout
        </a>
      </footer>
    </div>
  )
}
