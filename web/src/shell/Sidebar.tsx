import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMe } from '#src/session/me.ts'
import { choiceOf } from '#src/navigation/useSelection.ts'
import { Mark } from './Logo.tsx'
import { menuOf } from '#src/navigation/menu.ts'
import { MenuIcon } from './MenuIcon.tsx'
import { Pickers } from './Pickers.tsx'
import styles from './Sidebar.module.css'

const HandCount = lazy(() => import('./HandCount.tsx'))

export function Sidebar() {
  const me = useMe()
  return (
    <div className={styles.sidebar}>
      <div className={styles.head}>
        {me.logo ? <img src={me.logo} alt="" height="28" className={styles.logo} /> : <Mark />}
        <span className={styles.name}>Trainyard</span>
      </div>
      {(me.role === 'user' || me.role === 'admin' || me.role === 'superadmin') && <Pickers />}
      <nav aria-label="Screens" className={styles.nav}>
        {menuOf(me).map(({ group, rows }) => (
          <div key={group} className={styles.group}>
            {group !== 'Start' && <h2 className={`over ${styles.over}`}>{group}</h2>}
            <ul className={styles.line}>
              {rows.map((row) => (
                <li key={row.path}>
                  <Link
                    to={row.path}
                    search={choiceOf}
                    activeOptions={{ exact: true, includeSearch: false }}
                    className={styles.stop}
                  >
                    <MenuIcon path={row.path} />
                    {row.title}
                    {row.path === '/vm/class' && me.role !== 'superadmin' && (
                      <Suspense fallback={null}>
                        <HandCount />
                      </Suspense>
                    )}
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
