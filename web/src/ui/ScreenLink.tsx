import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from '#src/me.ts'
import { screens } from '#src/screens.tsx'
import type { Chosen } from '#src/selection.ts'

interface ScreenLinkProps {
  to: `/${string}`
  search?: Chosen
  /** The part of the screen: an element's id. */
  hash?: string
  className?: string
  children: ReactNode
}

/** A link to a screen for who may open it; to anybody else, and while there is no such screen, its words alone. */
export function ScreenLink({ to, search, hash, className, children }: ScreenLinkProps) {
  const { role } = useMe()
  const row = screens.find(({ path }) => path === to)
  if (row === undefined || !row.roles.includes(role)) return <span className={className}>{children}</span>
  return (
    <Link to={to} search={search} hash={hash} className={className}>
      {children}
    </Link>
  )
}
