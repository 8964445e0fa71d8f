import { Link } from '@tanstack/react-router'
import type { Role } from '@trainyard/contract/words/role.ts'
import { menuOf } from '#src/shell/menu.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'

/** The sandbox screens of the role. */
export function SandboxHome({ role }: { role: Role }) {
  const rows = menuOf(role).find(({ group }) => group === 'Sandboxes')?.rows ?? []
  if (rows.length === 0) return <EmptyState text="No sandboxes available" />
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.path}>
          <Link to={row.path}>Open {row.title}</Link>
        </li>
      ))}
    </ul>
  )
}
