import { type AnyRoute, Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from '../session/me.ts'
import { mayOpen } from '../navigation/menu.ts'
import type { Choice } from '../navigation/selection.ts'

interface ScreenLinkProps {
  to: `/${string}`
  search?: Choice
  hash?: string
  className?: string
  children: ReactNode
}

/** Link to a screen; plain text if the user may not open it. */
export function ScreenLink({ to, search, hash, className, children }: ScreenLinkProps) {
  const me = useMe()
  const routes: Readonly<Partial<Record<string, AnyRoute>>> = useRouter().routesByPath
  const { roles = [], instructors } = routes[to]?.options.staticData ?? {}
  if (mayOpen(me, { for: roles, instructors }, search?.training ?? null) !== true)
    return <span className={className}>{children}</span>
  return (
    <Link to={to} search={search} hash={hash} className={className}>
      {children}
    </Link>
  )
}
