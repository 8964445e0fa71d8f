import { type AnyRoute, Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from '#src/session/me.ts'
import type { Choice } from '#src/navigation/selection.ts'

interface ScreenLinkProps {
  to: `/${string}`
  search?: Choice
  hash?: string
  className?: string
  children: ReactNode
}

/** Link to a screen; plain text if the role may not open it. */
export function ScreenLink({ to, search, hash, className, children }: ScreenLinkProps) {
  const { role } = useMe()
  const routes: Readonly<Partial<Record<string, AnyRoute>>> = useRouter().routesByPath
  if (routes[to]?.options.staticData?.roles?.includes(role) !== true)
    return <span className={className}>{children}</span>
  return (
    <Link to={to} search={search} hash={hash} className={className}>
      {children}
    </Link>
  )
}
